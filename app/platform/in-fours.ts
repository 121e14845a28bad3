/** Codes and keys in groups of four, for whoever types them by hand. */
export const inFours = (text: string, between = '-'): string => text.replace(/(.{4})(?=.)/g, `$1${between}`)
