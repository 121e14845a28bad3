const MAX_LENGTH = 4000

/** Browsers skip tabs and line breaks: '/\t/elsewhere' leads to another site. */
export const isOwnPath = (path: string) =>
  /^\/(?![/\\])[!-~]*$/.test(path) && path.length < MAX_LENGTH
