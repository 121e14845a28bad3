export const ownerParcelTexts = {
  noAddress: 'The customer has not given an address yet.',
  slip: 'Packing slip',
  slipSizes: { '4x6': '4 × 6 in', A6: 'A6', Letter: 'Letter', A4: 'A4' },
  ship: 'Mark as shipped',
  shipUnpaid: (amount: string) => `${amount} are not paid yet. Ship anyway?`,
  unpaid: (amount: string) =>
    `${amount} are not paid yet, so the package is not marked as shipped. Press “Mark as shipped” and answer the question with “Yes”.`,
  shipFold: 'Ship it',
  correctFold: 'Correct the tracking',
  correct: 'Save tracking',
  carrier: 'Carrier',
  noCarrier: 'No tracking',
  other: 'Another carrier',
  number: 'Tracking number',
  link: 'Tracking link',
  linkExample: 'https://',
}

export const trackingErrors = {
  badCarrier: 'Please choose the carrier.',
  noNumber: 'Please type the tracking number.',
  badNumber: (limit: number) => `Please type at most ${limit} letters, digits and dashes.`,
  badLink: 'Please type a link that begins with https://',
  longLink: (limit: number) => `Please keep the link under ${limit} characters.`,
}

/** The email may reach a stranger, so it has no address and no tracking number. */
export const shippedEmailTexts = {
  subject: (shopName: string) => `On its way: your package from ${shopName}`,
  text: ({
    name,
    signature,
    shopName,
    link,
  }: Record<'name' | 'signature' | 'shopName', string> & { link: string | null }) =>
    `Hello ${name},

Your package from ${signature} is on its way.

${link ? `Follow it in your conversation:\n${link}` : `To follow it, open ${shopName}, log in and press the bell.`}

When it arrives, please press "Mark as received" in the conversation.
`,
}
