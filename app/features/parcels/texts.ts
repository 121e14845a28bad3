export const parcelTexts = {
  title: 'Package',
  ask: 'Where should the package go? Only the maker sees the address.',
  recipient: 'Name on the package',
  address: 'Address',
  addressHint: 'As on an envelope, with the country.',
  save: 'Save address',
  change: 'Change the address',
  saveChange: 'Save new address',
  to: 'Ship to',
  shippedOn: (day: string) => `On its way since ${day}`,
  arrivedOn: (day: string) => `Arrived on ${day}`,
  track: (name: string) => `Track with ${name}`,
  arrived: 'Mark as received',
}

export const parcelMessages = {
  'give-address': 'The address for my package is in the offer.',
  'change-address': 'I changed the address for my package.',
  'ship-parcel': 'Your package is on its way.',
  'confirm-arrival': 'My package has arrived.',
}

export const parcelResults = {
  'give-address': 'Address saved.',
  'ship-parcel': 'The package is marked as shipped.',
  'correct-tracking': 'Tracking saved.',
  'confirm-arrival': 'Thank you for telling us!',
}

export const addressErrors = {
  noRecipient: 'Please type the name on the package.',
  longRecipient: (limit: number) => `Please keep the name under ${limit} characters.`,
  noAddress: 'Please type the address.',
  longAddress: (characters: number, lines: number) =>
    `Please keep the address under ${characters} characters and ${lines} lines.`,
}

export const parcelRefusals = {
  'not-found': 'This offer does not exist.',
  'not-accepted': 'This offer has not been accepted, or was canceled, so there is no package.',
  'not-shipped': 'Nothing in this offer is shipped.',
  'no-address': 'The package has not been shipped yet.',
  'address-given': 'The package has not been shipped yet.',
  shipped: 'The package is already on its way. If something is wrong, please write a message.',
  arrived: 'The package has already arrived.',
  'other-address':
    'The customer has changed the address. Please check the package, then mark it as shipped again.',
}
