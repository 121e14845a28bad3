/** Tabs and line breaks stay. The last two ranges reverse the text that follows them. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\r\n]|[\u202a-\u202e\u2066-\u2069]/gu

export const withoutControlCharacters = (text: string) => text.replace(CONTROL_CHARACTERS, '')
