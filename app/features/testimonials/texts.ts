export const testimonialsTexts = {
  title: 'Testimonials',
  intro: 'What customers say about their pieces.',
  empty: 'There are no testimonials yet.',
  browseGallery: 'Browse the gallery',
  carousel: 'Testimonials',
  previousWriter: (name: string) => `Previous writer: ${name}`,
  nextWriter: (name: string) => `Next writer: ${name}`,
  play: 'Play',
  pause: 'Pause',
  readAll: 'Read all',
  whole: (name: string) => `What ${name} wrote`,
  close: 'Close',
  items: 'Items',
  newTab: ' (opens in a new tab)',
  reward: (amount: string) => `Writers with a ticket get ${amount} OFF their next purchase.`,
  asWall: 'Show all',
  asCarousel: 'Show one at a time',
  pages: 'Pages',
  newer: 'Newer',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  older: 'Older',
  guest: 'Guest',
}

export const quoteTexts = {
  title: 'What a customer says',
  more: 'Read more testimonials',
}

export const ticketTexts = {
  unknown: 'Nothing here but Knots and Love',
  unknownHint:
    'This ticket does not exist. If you typed the address, check the card again: upper and lower case matter.',
  browseGallery: 'Browse the gallery',
  ask: 'Ask about your ticket',
  thanks: (name: string, amount: string | null) =>
    `Thank you ${name || 'Guest'}${amount ? `, you qualify for ${amount} OFF` : ''}!`,
  thanksHint: (amount: string | null) =>
    `The maker reads your testimony before it appears on the Testimonials page.${amount ? ` Mention the code with your next order to get ${amount} off.` : ''}`,
  readOthers: 'Read what others wrote',
  hello: (name: string) => `Hello, ${name}`,
  intro: (amount: string) =>
    `How do you like what you took home? Your words earn you ${amount} OFF.`,
  email: 'Email',
  emailHint: 'Exactly as on the purchase.',
  mismatch: 'This is not the email of the purchase. Type it exactly as on the purchase.',
  continue: 'Continue',
  allSet: "You're All set!",
  yourItems: 'Your items',
  testimony: 'Your testimony',
  submit: 'Submit',
  tooLong: 'Please keep the text under 10,000 characters',
  notReached: 'The shop could not be reached. Please try again in a moment.',
}

export const moderationTexts = {
  title: 'Testimonials',
  empty: 'No one has written yet.',
  printTicket: 'Print a Testimony Ticket with a receipt, and your buyer can.',
  toSales: 'Go to Sales',
  toReview: (count: number) =>
    count === 0 ? 'There is nothing to review.' : `${count} to review.`,
  shown: {
    before: (count: number) => `${count === 1 ? '1 is shown' : `${count} are shown`} on `,
    link: 'the Testimonials page',
    after: '.',
  },
  unusedTickets: (count: number) => `${count} ${count === 1 ? 'ticket is' : 'tickets are'} unused.`,
  steps: '“Validate” marks a testimony as read. “Show” then publishes it on the Testimonials page.',
  waiting: 'Waiting',
  seen: 'Reviewed',
  blank: 'Left blank. It cannot be shown.',
  act: (label: string, name: string) => `${label} what ${name} wrote`,
  pages: 'Pages',
  newer: 'Newer',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  older: 'Older',
}

export const moderationLabels = { validate: 'Validate', show: 'Show', hide: 'Hide' }

export const moderationStates = { shown: 'Shown', notShown: 'Not shown', waiting: 'Waiting' }

export const moderationResults = {
  validate: 'Validated. It is not shown yet.',
  show: 'Shown on the Testimonials page',
  hide: 'No longer shown',
  gone: 'This testimony no longer exists',
  changed: 'This testimony was changed in the meantime. This is its current state.',
  blank: 'There is nothing to show: the writer left it blank',
}

export const ticketMessage = (names: readonly string[], reward: string, link: string) =>
  `How do you like ${names.length === 1 ? names[0] : 'your pieces'}? I would love to read it. Your words earn you ${reward} OFF your next purchase: ${link}`
