/** The texts of the owner's settings, and the default texts of a new shop. */
import type { AccentName } from './accents.ts'
import type { SettingKey } from './setting-groups.ts'
import type { DefaultTheme, ShopSettings } from './shop-settings.ts'

type FieldTexts = Record<SettingKey, string>

export const settingsTexts = {
  title: 'Settings',
  shop: 'The shop',
  contact: 'Contact',
  texts: 'Texts',
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
  themes: { dark: 'Dark', light: 'Light', device: 'As on the visitor’s device' } satisfies Record<DefaultTheme, string>,
  themeHint: 'Visitors can change the theme at any time.',
  appearance: 'Appearance',
  logo: 'Logo',
  sections: 'Sections of this page',
  optional: 'What you leave empty is not shown to anyone.',
  taglineHint: 'Such as “Knotted by hand in Asheville”',
  mentionHint: 'One hint per line',
  termsHint: 'Line breaks stay. Visitors open this text at the end of every page.',
  socialHint: 'Your @name, or the address of the page',
  documents: 'Printed documents',
  addressHint: 'With street and postal code, on as many lines as you like',
  taxNumberHint: 'If your invoices must have one',
  defaultShippingHint: 'Filled in when you print a new invoice; you can change it there.',
  region: 'Money and time',
  currencyHint: 'Amounts that are stored already keep their number: 25.00 stays 25.00.',
  currencyChoice: (name: string, symbol: string) => `${name} (${symbol})`,
  currencySymbolHint: 'Leave it empty for the usual symbol.',
  currencyPositions: { before: 'Before the amount', after: 'After the amount' },
  paperSizes: { byTimeZone: 'The usual size where the shop is', Letter: 'Letter', A4: 'A4' },
  timeZoneHint: (zone: string) => `Type your city, such as Chicago. Days, months and years begin there. Empty: ${zone}.`,
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
  empty: 'Please fill in this field',
  longText: (most: number) => `Please write at most ${most} characters`,
  noLink: 'Please enter a page of the shop, such as /gallery/, or an address that begins with https://',
  noCurrency: 'Please select a currency',
  noCurrencySymbol: 'Please enter a symbol such as $, € or kr, with at most 5 characters',
  noCurrencyPosition: 'Please select the position of the symbol',
  noPaperSize: 'Please select a paper size',
  noTimeZone: 'There is no such time zone. Enter one such as America/Chicago, or a city that is in the list',
  /** in these sentences */
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
  } satisfies Partial<FieldTexts>,
}

/** They promise nothing that a new owner has not promised. */
export const defaultTexts = {
  tagline: 'Knotted by hand',
  mention: 'The color, or the room it is for\nThe rough size\nWhen you need it',
  invoiceFooter: 'Made by hand, knot by knot.',
  terms:
    'Every piece is made by hand, so small differences in color and size are part of it.\nA price is agreed in the conversation before work begins.',
  thankYouLetter: 'Thank you for choosing something made by hand. If you have a question about your piece, just write to me.',
}

export const reminderText = (minutes: number): string =>
  minutes === 0 ? 'Never' : minutes < 60 ? `After ${minutes} minutes` : minutes === 60 ? 'After an hour' : `After ${minutes / 60} hours`

/** How the shop signs: "Marisol of Knots & Love", or only the shop's name. [OWN-01] */
export const signatureOf = ({ ownerName, name }: Pick<ShopSettings, 'ownerName' | 'name'>): string =>
  ownerName ? `${ownerName} of ${name}` : name
