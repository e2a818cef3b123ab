/** From the path of a page in the repository to that on the site. */
export function pageMap(): Map<string, string>;
/** `text` of the page at `from`, its links led to the pages of the site. */
export function withSiteLinks(text: string, from: string, map: ReadonlyMap<string, string>): string;
