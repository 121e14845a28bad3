/** PostgreSQL refuses U+0000, and both databases refuse lone surrogates. */
export const storableText = (text: string) => text.replaceAll('\0', '').toWellFormed()
