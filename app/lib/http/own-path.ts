/** Characters. A gallery search with many colors has a long URL. */
const MAX_LENGTH = 4000

/** Accepts only a path of this shop in printable ASCII, because browsers skip tabs and line breaks, so that '/\t/elsewhere' would lead to another site. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[!-~]*$/.test(path) && path.length < MAX_LENGTH
