/** Returns the text of the owner's message with the link to the testimony ticket. */
export const ticketMessage = (names: readonly string[], reward: string, link: string): string =>
  `How do you like ${names.length === 1 ? names[0] : 'your pieces'}? I would love to read it. Your words earn you ${reward} OFF your next purchase: ${link}`
