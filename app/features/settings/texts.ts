import type { AccentName } from './accents.ts'
import type { DefaultTheme, ShopSettings } from './shop-settings.ts'

export const settingsTexts = {
  title: 'Settings',
  accents: {
    terracotta: 'Terracotta',
    rose: 'Rose',
    plum: 'Plum',
    blue: 'Blue',
    teal: 'Teal',
    moss: 'Moss',
    ochre: 'Ochre',
  } satisfies Record<AccentName, string>,
  themes: { dark: 'Dark', light: 'Light' } satisfies Record<DefaultTheme, string>,
  logo: 'Logo',
  optional: 'What you leave empty is not shown to anyone.',
  socialHint: 'Your @name, or the address of the page',
  currencyChoice: (name: string, symbol: string) => `${name} (${symbol})`,
  zoneChoice: (country: string | undefined, city: string, name: string) =>
    country ? `${country}: ${city} (${name})` : city,
  noZoneChosen: (zone: string) => `Not chosen yet: ${zone}`,
  deviceZone: (zone: string) => `Use this device’s: ${zone}`,
  dollarsHint: 'Your name there. Only for amounts in US dollars.',
  save: 'Save',
  saved: 'Settings saved',
  seeShop: 'See it in the shop',
  errorCount: (count: number) => `Please check ${count} fields. Nothing has been saved yet.`,
  data: 'Your data',
  dataHint: 'All data of the shop in one file: catalog, conversations, sales, testimonies.',
  download: 'Download all data',
  downloadPassword: 'Your password, before you download everything',
  maintenance: 'Maintenance',
  status: 'How the shop is doing',
  backups: 'Backups of the whole shop',
  customerData: 'Customers’ requests for their data or its deletion',
}

export const pageTexts = {
  save: 'Save',
  saved: 'Saved',
  preview: 'Preview in a new tab',
  previewTitle: 'Preview',
  previewNotice: 'This is a preview. Nothing has been saved. Close this tab to go on editing.',
  correctFirst: 'Please correct these texts, then look at the preview again:',
  seePage: 'See it in the shop',
}

export const settingsErrorTexts = {
  notInList: 'Please choose one of the list',
  missing: (name: string) => `Please fill in the ${name}`,
  tooLong: (name: string, most: number) => `Please keep the ${name} under ${most} characters`,
  noSocialPage: (name: string) => `Please enter the ${name} as @name, or as its address`,
  noEmail: 'Please provide a valid Email',
  noPhone: 'Please enter a phone number with at least 5 digits',
  empty: 'Please fill in this field',
  longText: (most: number) => `Please write at most ${most} characters`,
  noLink:
    'Please enter a page of the shop, such as /gallery/, or an address that begins with https://',
  noCurrency: 'Please select a currency',
  noCurrencySymbol: 'Please enter a symbol such as $, € or kr, with at most 5 characters',
  noCurrencyPosition: 'Please select the position of the symbol',
  noPaperSize: 'Please select a paper size',
  noTimeZone: 'Please select a time zone',
  noPiecesPerWeek: 'Please enter a number such as 5 or 0.5, or leave it empty',
  noSizeUnits: 'Please select how sizes are shown',
  noPaymentName: (name: string) => `Please enter the ${name} as @name, or as its address`,
  noIban: 'Please check this IBAN. A digit is wrong or missing.',
  noBic: 'A BIC has 8 or 11 letters and digits, such as DEUTDEFF.',
  noRoutingNumber:
    'Please check this routing number. It has 9 digits, and one is wrong or missing.',
  noAccountNumber: 'Please enter the account number with 4 to 17 digits',
  noDeposit: 'Please enter a whole number from 0 to 100',
  noYears: 'Please type a number of years from 0 to 30.',
  noDays: 'Please type a number of days from 0 to 365, or leave it empty',
  noGroup: 'Please put at least two words into each line, with a comma between them',
}

/** These texts promise nothing, because only the owner can make a promise to customers. */
export const defaultTexts = {
  tagline: 'Knotted by hand',
  mention: 'The color, or the room it is for\nThe rough size\nWhen you need it',
  invoiceFooter: 'Made by hand, knot by knot.',
  synonyms: [
    'planter, plant hanger, plant holder, pot hanger, hanging basket',
    'keychain, key chain, key ring, key fob, key holder',
    'wall hanging, tapestry, wall art, wall decor',
    'dreamcatcher, dream catcher',
    'bag, purse, handbag',
    'coaster, mug rug',
    'garland, banner, bunting',
    'earring, jewelry, jewellery',
    'shelf, shelves',
    'gray, grey',
  ].join('\n'),
  orderSteps: [
    'Ask for the piece. You pay nothing now.',
    'The answer is an offer with price and date.',
    'You decide whether you accept it.',
  ].join('\n'),
  terms:
    'Every piece is made by hand, so small differences in color and size are part of it.\nA price is agreed in the conversation before work begins.',
  thankYouLetter:
    'Thank you for choosing something made by hand. If you have a question about your piece, just write to me.',
}

export const awayText = (ownerName: string, until: string | null) =>
  `${ownerName} is away ${until ? `until ${until}` : 'for a while'}.`

export function reminderText(minutes: number) {
  if (minutes === 0) return 'Never'
  if (minutes < 60) return `After ${minutes} minutes`
  return minutes === 60 ? 'After an hour' : `After ${minutes / 60} hours`
}

export const signatureOf = ({ ownerName, name }: Pick<ShopSettings, 'ownerName' | 'name'>) =>
  ownerName ? `${ownerName} of ${name}` : name

export const footerTexts = {
  contact: 'Write a message',
  facebook: 'Facebook',
  instagram: 'Instagram',
  shipsFrom: (place: string) => `Ships from ${place}`,
}
