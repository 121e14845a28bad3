/** A search of the gallery with many colours is long. */
const LONGEST = 4000

/** Only a path of this shop, in plain characters: browsers skip tabs and line ends, so that '/\t/elsewhere' would lead there. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[!-~]*$/.test(path) && path.length < LONGEST
