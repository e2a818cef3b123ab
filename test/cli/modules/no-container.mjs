export default 1;
export const containers = [];
