/** How dates and times are shown: in the shop's own time zone, so that server, page and print agree (S-108). */

/** CONST-02: 'MMMM DD, YYYY', for example "January 05, 2024". */
export const formatDate = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', day: '2-digit', year: 'numeric', timeZone }).format(at)

/** "3:05 PM" */
export const formatTime = (at: number, timeZone: string): string =>
  // The space before AM and PM differs between engines; one plain space keeps server and browser alike.
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone }).format(at).replace(/\s/gu, ' ')
