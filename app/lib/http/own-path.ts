/** The limit allows the long URL of a gallery search with many colors. */
const MAX_LENGTH = 4000

/** Accepts only a path of this shop in printable ASCII. Browsers skip tabs and line breaks, and '/\t/elsewhere' would therefore lead to another site. */
export const isOwnPath = (path: string): boolean =>
  /^\/(?![/\\])[!-~]*$/.test(path) && path.length < MAX_LENGTH
