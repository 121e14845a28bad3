/** Without tabs and line breaks. Characters of the last two ranges reverse the text after them. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\r\n]|[\u202a-\u202e\u2066-\u2069]/gu

export const withoutControlCharacters = (text: string) => text.replace(CONTROL_CHARACTERS, '')
