/** Does not match tabs and line breaks. The last two ranges change the direction of the text. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\r\n]|[\u202a-\u202e\u2066-\u2069]/gu

export const withoutControlCharacters = (text: string) => text.replace(CONTROL_CHARACTERS, '')
