/** Contains the labels and hints of the settings page. `defaultTexts` contains the initial values of all settings that are texts. */
import type { AccentName } from './accents.ts'
import type { SettingKey } from './setting-groups.ts'
import type { DefaultTheme, ShopSettings } from './shop-settings.ts'

type FieldTexts = Record<SettingKey, string>

export const settingsTexts = {
  title: 'Settings',
  shop: 'The shop',
  contact: 'Contact',
  texts: 'Texts',
  pieces: 'On every piece',
  ownerNameHint: 'Optional. Without a name, customers see the name of the shop instead.',
  piecesHint: 'One line on the page of each piece.',
  leadTimeHint: 'For example: Made in 1 to 2 weeks',
  piecesPerWeekHint:
    'A piece made to order then shows “Ready about …” in place of the lead time. Leave it empty to show no date.',
  sizeUnits: { typed: 'As you type them', inches: 'Inches next to centimeters' },
  soldPieces: { hidden: 'Leave the gallery', shown: 'Stay as “Sold · ask for one like it”' },
  soldPiecesHint: 'Sold pieces are always the last ones in the gallery.',
  shipsFromHint: 'For example: Lisbon',
  returnsHint: 'For example: Returns within 14 days',
  afterDelivery: 'After delivery',
  ticketDaysHint:
    'A number of days. The buyer gets the link as a message, and an email if she does not read it. Leave it empty for never.',
  search: 'Search',
  synonymsHint:
    'One group per line, with commas between the words. A search for one word of a group finds pieces with any of them.',
  fields: {
    name: 'Shop name',
    ownerName: "Owner's name",
    city: 'City',
    tagline: 'Line below the name, at the end of every page',
    email: 'Email',
    phone: 'Phone',
    facebook: 'Facebook page',
    instagram: 'Instagram page',
    mention: 'Good to mention, on the Contact page',
    terms: 'Terms and Conditions',
    thankYouLetter: 'Thank-you card',
    accent: 'Color of buttons and links',
    defaultTheme: 'Theme on a first visit',
    address: 'Address',
    taxNumber: 'Tax number',
    invoiceFooter: 'Last line of an invoice',
    defaultShipping: 'Usual shipping fee',
    currencyCode: 'Currency',
    currencySymbol: 'Symbol of the currency',
    currencyPosition: 'Position of the symbol',
    paperSize: 'Paper size',
    timeZone: 'Time zone',
    leadTime: 'Lead time',
    piecesPerWeek: 'Pieces per week',
    shipsFrom: 'Ships from',
    returns: 'Returns',
    sizeUnits: 'Sizes',
    ticketDays: 'Offer the testimony ticket this many days after handover',
    soldPieces: 'Sold one-of-a-kind pieces',
    synonyms: 'Words that mean the same',
    payPal: 'PayPal.me',
    venmo: 'Venmo',
    cashApp: 'Cash App',
    accountHolder: 'Account holder',
    iban: 'IBAN',
    bic: 'BIC',
    routingNumber: 'Routing number (US)',
    accountNumber: 'Account number (US)',
    cashAtHandover: 'Cash at handover',
    otherWay: 'Another way to pay',
    depositPercent: 'Deposit in percent',
  } satisfies FieldTexts,
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
  themeHint: 'Visitors can change the theme at any time.',
  appearance: 'Appearance',
  logo: 'Logo',
  optional: 'What you leave empty is not shown to anyone.',
  taglineHint: 'Such as “Knotted by hand in Asheville”',
  mentionHint: 'One hint per line',
  termsHint: 'Line breaks stay. Visitors open this text at the end of every page.',
  socialHint: 'Your @name, or the address of the page',
  documents: 'Printed documents',
  addressHint: 'With street and postal code, on as many lines as you like',
  taxNumberHint: 'If your invoices must have one',
  defaultShippingHint:
    'Suggested when you print a new invoice for an order from a conversation; you can change it there.',
  region: 'Money and time',
  currencyHint: 'Amounts that are stored already keep their number: 25.00 stays 25.00.',
  currencyChoice: (name: string, symbol: string) => `${name} (${symbol})`,
  currencySymbolHint: 'Leave it empty for the usual symbol.',
  currencyPositions: { before: 'Before the amount', after: 'After the amount' },
  paperSizes: { byTimeZone: 'The usual size where the shop is', Letter: 'Letter', A4: 'A4' },
  timeZoneHint: 'Find your country. Days, months and years of the shop begin there.',
  zoneChoice: (country: string | undefined, city: string, name: string) =>
    country ? `${country}: ${city} (${name})` : city,
  noZoneChosen: (zone: string) => `Not chosen yet: ${zone}`,
  deviceZone: (zone: string) => `Use this device’s: ${zone}`,
  payments: 'Ways to be paid',
  paymentsHint:
    'A customer sees them on an offer that she has accepted, with the amount and a reference. Nobody else sees them.',
  payPalHint: 'Your name there, or paypal.me/name',
  dollarsHint: 'Your name there. Only for amounts in US dollars.',
  accountHolderHint: 'For bank transfers, as the bank spells it',
  bicHint: 'If your customers’ banks ask for it',
  otherWayHint: 'For example: A check to the address on the invoice',
  depositHint: 'Of each new offer, for example 30. Leave it empty for no deposit.',
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
  noDays: 'Please type a number of days from 0 to 365, or leave it empty',
  noGroup: 'Please put at least two words into each line, with a comma between them',
  /** the names of the settings that the error messages of this object insert */
  names: {
    name: 'name',
    city: 'city',
    tagline: 'line below the name',
    ownerName: "owner's name",
    phone: 'phone number',
    facebook: 'Facebook page',
    instagram: 'Instagram page',
    mention: 'list of what is good to mention',
    terms: 'Terms and Conditions',
    thankYouLetter: 'text of the thank-you card',
    address: 'address',
    taxNumber: 'tax number',
    invoiceFooter: 'last line of an invoice',
    defaultShipping: 'usual shipping fee',
    leadTime: 'lead time',
    shipsFrom: 'place',
    returns: 'returns',
    synonyms: 'words',
    payPal: 'PayPal.me name',
    venmo: 'Venmo name',
    cashApp: 'Cash App name',
    accountHolder: 'account holder',
    iban: 'IBAN',
    routingNumber: 'routing number',
    accountNumber: 'account number',
    otherWay: 'other way to pay',
  } satisfies Partial<FieldTexts>,
}

/** The text settings of a new shop. They contain no promises to customers, because only the owner can make promises. */
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
  terms:
    'Every piece is made by hand, so small differences in color and size are part of it.\nA price is agreed in the conversation before work begins.',
  thankYouLetter:
    'Thank you for choosing something made by hand. If you have a question about your piece, just write to me.',
}

export const reminderText = (minutes: number): string =>
  minutes === 0
    ? 'Never'
    : minutes < 60
      ? `After ${minutes} minutes`
      : minutes === 60
        ? 'After an hour'
        : `After ${minutes / 60} hours`

/** Returns the signature of emails, such as "Marisol of Knots & Love", or only the shop's name if the owner has not typed her name. [OWN-01] */
export const signatureOf = ({
  ownerName,
  name,
}: Pick<ShopSettings, 'ownerName' | 'name'>): string =>
  ownerName ? `${ownerName} of ${name}` : name
