/** The picture of the rooms, as a fenced block of Mermaid. */
export function picture(): string;
/** The rooms and what they hold, as a Markdown table. */
export function table(): string;
/** `page` with its picture and its table made anew; throws where it has no place for them. */
export function withPictures(page: string): string;
