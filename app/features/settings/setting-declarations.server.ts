import { isEmailAddress } from '#lib/text/email-address.server.ts'
import { z, type ZodType } from 'zod'
import { MAX_NAME_LENGTH } from '#lib/auth/account-limits.ts'
import { parseName } from '#lib/auth/person-name.ts'
import { oneLine, parsedText } from '#lib/http/form-data.server.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { priceTexts } from '#pricing/texts.ts'
import { US_DOLLAR } from '#lib/text/currency.ts'
import { accentNames, accents, DEFAULT_ACCENT } from './accents.ts'
import {
  parseDepositPercent,
  parseIban,
  parsePaymentName,
  parseRoutingNumber,
  type PaymentApp,
} from './payment-settings.ts'
import { currencyCodes, parseTimeZone } from './regional-settings.server.ts'
import { DEFAULT_THEMES, parseSocialPage, type SocialPage } from './shop-settings.ts'
import type { SettingInput } from './setting-inputs.ts'
import { defaultTexts, settingsErrorTexts as errors, settingsTexts as texts } from './texts.ts'

const sections = {
  shop: { title: 'The shop' },
  contact: { title: 'Contact' },
  appearance: { title: 'Appearance' },
  texts: { title: 'Texts' },
  documents: { title: 'Printed documents' },
  payments: {
    title: 'Ways to be paid',
    hint: 'A customer sees them on an offer that she has accepted, with the amount and a reference. Nobody else sees them.',
  },
  region: { title: 'Money and time' },
  pieces: { title: 'On every piece', hint: 'One line on the page of each piece.' },
  'after-delivery': { title: 'After delivery' },
  search: { title: 'Search' },
}

type Section = keyof typeof sections
type Declaration<Value extends string> = Omit<SettingInput, 'key'> & {
  default?: NoInfer<Value>
  schema: ZodType<Value>
}

const mapValues = <From, To>(entries: Record<string, From>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value)]))

function inSection<Values extends Record<string, string>>(
  section: Section,
  declarations: { [Key in keyof Values]: Declaration<Values[Key]> },
) {
  return mapValues<object, object>(declarations, (declaration) => ({
    ...declaration,
    section,
  })) as {
    [Key in keyof Values]: Declaration<Values[Key]> & { section: Section }
  }
}

const text = (noun: string, max = 100) => z.string().trim().max(max, errors.tooLong(noun, max))
const requiredText = (noun: string, max = 100) => text(noun, max).min(1, errors.missing(noun))

const socialPage = (page: SocialPage, noun: string) =>
  text(noun, 300).pipe(
    parsedText((typed) => parseSocialPage(page, typed), errors.noSocialPage(noun)),
  )
const paymentName = (app: PaymentApp, noun: string) =>
  parsedText((typed) => parsePaymentName(app, typed), errors.noPaymentName(noun))

const hasSynonyms = (row: string) =>
  row.trim() === '' || row.split(',').filter((word) => word.trim() !== '').length > 1

/** Visitors may see all these settings. [OWN-119] */
export const shopDeclarations = {
  ...inSection('shop', {
    name: {
      label: 'Shop name',
      default: 'Knots & Love',
      schema: requiredText('name'),
    },
    ownerName: {
      label: "Owner's name",
      hint: 'Optional. Without a name, customers see the name of the shop instead.',
      schema: parsedText(parseName, errors.tooLong("owner's name", MAX_NAME_LENGTH)),
    },
    city: { label: 'City', schema: text('city') },
    tagline: {
      label: 'Line below the name, at the end of every page',
      hint: 'Such as “Knotted by hand in Asheville”',
      default: defaultTexts.tagline,
      schema: text('line below the name'),
    },
  }),
  ...inSection('contact', {
    email: {
      label: 'Email',
      type: 'email',
      schema: z
        .string()
        .trim()
        .refine((typed) => typed === '' || isEmailAddress(typed), errors.noEmail),
    },
    phone: {
      label: 'Phone',
      type: 'tel',
      schema: text('phone number', 40).refine(
        (typed) => typed === '' || typed.replaceAll(/\D/g, '').length >= 5,
        errors.noPhone,
      ),
    },
    facebook: {
      label: 'Facebook page',
      hint: texts.socialHint,
      schema: socialPage('facebook', 'Facebook page'),
    },
    instagram: {
      label: 'Instagram page',
      hint: texts.socialHint,
      schema: socialPage('instagram', 'Instagram page'),
    },
  }),
  ...inSection('appearance', {
    accent: {
      label: 'Color of buttons and links',
      type: 'radio',
      options: accentNames.map((value) => ({
        value,
        label: texts.accents[value],
        colors: [accents[value].dark.accent, accents[value].light.accent],
      })),
      default: DEFAULT_ACCENT,
      schema: z.enum(accentNames, errors.notInList),
    },
    defaultTheme: {
      label: 'Theme on a first visit',
      hint: 'Visitors can change the theme at any time.',
      type: 'radio',
      options: DEFAULT_THEMES.map((value) => ({ value, label: texts.themes[value] })),
      default: 'dark',
      schema: z.enum(DEFAULT_THEMES, errors.notInList),
    },
  }),
  ...inSection('texts', {
    orderSteps: {
      label: 'How ordering works, above the order form of each piece',
      hint: 'One step per line',
      rows: 4,
      default: defaultTexts.orderSteps,
      schema: text('steps of an order', 400),
    },
    mention: {
      label: 'Good to mention, on the Contact page',
      hint: 'One hint per line',
      rows: 4,
      default: defaultTexts.mention,
      schema: text('list of what is good to mention', 1000),
    },
    terms: {
      label: 'Terms and Conditions',
      hint: 'Line breaks stay. Visitors open this text at the end of every page.',
      rows: 8,
      default: defaultTexts.terms,
      schema: requiredText('Terms and Conditions', 10_000),
    },
    thankYouLetter: {
      label: 'Thank-you card',
      rows: 5,
      default: defaultTexts.thankYouLetter,
      schema: requiredText('text of the thank-you card', 10_000),
    },
  }),
  ...inSection('documents', {
    address: {
      label: 'Address',
      hint: 'With street and postal code, on as many lines as you like',
      rows: 3,
      schema: text('address', 500),
    },
    taxNumber: {
      label: 'Tax number',
      hint: 'If your invoices must have one',
      schema: text('tax number'),
    },
    invoiceFooter: {
      label: 'Last line of an invoice',
      default: defaultTexts.invoiceFooter,
      schema: text('last line of an invoice', 500),
    },
    defaultShipping: {
      label: 'Usual shipping fee',
      hint: 'Suggested when you print a new invoice for an order from a conversation; you can change it there.',
      schema: text('usual shipping fee', 20).refine(
        (typed) => typed === '' || parseMoney(typed) !== null,
        priceTexts.invalid,
      ),
    },
    invoiceYears: {
      label: 'Years that invoices keep the name of a deleted account',
      hint: 'Name, address and email stay on numbered invoices until the end of the last of these years after the year of the invoice. With 0 they are removed at once. Ask your tax office.',
      default: '10',
      schema: z
        .string()
        .trim()
        .refine((typed) => /^\d{1,2}$/.test(typed) && Number(typed) <= 30, errors.noYears),
    },
    paperSize: {
      label: 'Paper size',
      type: 'select',
      options: [
        { value: '', label: 'The usual size where the shop is' },
        { value: 'Letter', label: 'Letter' },
        { value: 'A4', label: 'A4' },
      ],
      schema: z.enum(['', 'Letter', 'A4'], errors.noPaperSize),
    },
  }),
  ...inSection('region', {
    currencyCode: {
      label: 'Currency',
      hint: 'Amounts that are stored already keep their number: 25.00 stays 25.00.',
      type: 'select',
      default: US_DOLLAR.code,
      schema: z.string().refine((code) => currencyCodes.includes(code), errors.noCurrency),
    },
    currencySymbol: {
      label: 'Symbol of the currency',
      hint: 'Leave it empty for the usual symbol.',
      schema: z
        .string()
        .trim()
        .regex(/^([\p{L}\p{Sc}][\p{L}\p{Sc}.]{0,4})?$/u, errors.noCurrencySymbol),
    },
    currencyPosition: {
      label: 'Position of the symbol',
      type: 'select',
      options: [
        { value: 'before', label: 'Before the amount' },
        { value: 'after', label: 'After the amount' },
      ],
      default: US_DOLLAR.position,
      schema: z.enum(['before', 'after'], errors.noCurrencyPosition),
    },
    timeZone: {
      label: 'Time zone',
      hint: 'Find your country. Days, months and years of the shop begin there.',
      type: 'select',
      schema: parsedText(parseTimeZone, errors.noTimeZone),
    },
  }),
  ...inSection('pieces', {
    leadTime: {
      label: 'Lead time',
      hint: 'For example: Made in 1 to 2 weeks',
      schema: text('lead time', 120),
    },
    piecesPerWeek: {
      label: 'Pieces per week',
      hint: 'A piece made to order then shows “Ready about …” in place of the lead time. Leave it empty to show no date.',
      schema: z
        .string()
        .trim()
        .regex(/^((?!0+([.,]0)?$)\d{1,3}([.,]\d)?)?$/, errors.noPiecesPerWeek)
        .transform((typed) => typed.replace(',', '.')),
    },
    shipsFrom: {
      label: 'Ships from',
      hint: 'For example: Lisbon',
      schema: text('place', 120),
    },
    returns: {
      label: 'Returns',
      hint: 'For example: Returns within 14 days (not custom sizes)',
      schema: text('returns', 120),
    },
    sizeUnits: {
      label: 'Sizes',
      type: 'select',
      options: [
        { value: '', label: 'As you type them' },
        { value: 'inches', label: 'Inches next to centimeters' },
      ],
      schema: z.enum(['', 'inches'], errors.noSizeUnits),
    },
    soldPieces: {
      label: 'Sold one-of-a-kind pieces',
      hint: 'Sold pieces are always the last ones in the gallery.',
      type: 'select',
      options: [
        { value: '', label: 'Leave the gallery' },
        { value: 'shown', label: 'Stay as “Sold · ask for one like it”' },
      ],
      schema: z.enum(['', 'shown'], errors.notInList),
    },
  }),
  ...inSection('after-delivery', {
    ticketDays: {
      label: 'Offer the testimony ticket this many days after handover',
      hint: 'A number of days. The buyer gets the link as a message, and an email if she does not read it. Leave it empty for never.',
      schema: z
        .string()
        .trim()
        .refine((typed) => /^\d{0,3}$/.test(typed) && Number(typed) <= 365, errors.noDays),
    },
  }),
  ...inSection('search', {
    synonyms: {
      label: 'Words that mean the same',
      hint: 'One group per line, with commas between the words. A search for one word of a group finds pieces with any of them.',
      rows: 10,
      default: defaultTexts.synonyms,
      schema: text('words', 10_000).refine(
        (typed) => typed.split('\n').every(hasSynonyms),
        errors.noGroup,
      ),
    },
  }),
}

/** Only accepted offers and the owner's pages show these settings. [AGREE-40] */
const paymentDeclarations = inSection('payments', {
  payPal: {
    label: 'PayPal.me',
    hint: 'Your name there, or paypal.me/name',
    schema: paymentName('payPal', 'PayPal.me name'),
  },
  venmo: {
    label: 'Venmo',
    hint: texts.dollarsHint,
    schema: paymentName('venmo', 'Venmo name'),
  },
  cashApp: {
    label: 'Cash App',
    hint: texts.dollarsHint,
    schema: paymentName('cashApp', 'Cash App name'),
  },
  accountHolder: {
    label: 'Account holder',
    hint: 'For bank transfers, as the bank spells it',
    // A line break would change what a transfer's QR code means.
    schema: oneLine.pipe(text('account holder', 70)),
  },
  iban: {
    label: 'IBAN',
    schema: parsedText(parseIban, errors.noIban),
  },
  bic: {
    label: 'BIC',
    hint: 'If your customers’ banks ask for it',
    schema: z
      .string()
      .overwrite((typed) => typed.replaceAll(/\s/g, '').toUpperCase())
      .regex(/^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$/, errors.noBic),
  },
  routingNumber: {
    label: 'Routing number (US)',
    schema: parsedText(parseRoutingNumber, errors.noRoutingNumber),
  },
  accountNumber: {
    label: 'Account number (US)',
    schema: z
      .string()
      .overwrite((typed) => typed.replaceAll(/[\s-]/g, ''))
      .regex(/^(\d{4,17})?$/, errors.noAccountNumber),
  },
  cashAtHandover: {
    label: 'Cash at handover',
    type: 'checkbox',
    schema: z.enum(['', 'yes'], errors.notInList),
  },
  otherWay: {
    label: 'Another way to pay',
    hint: 'For example: A check to the address on the invoice',
    rows: 3,
    schema: text('other way to pay', 500),
  },
  depositPercent: {
    label: 'Deposit in percent',
    hint: 'Of each new offer, for example 30. Leave it empty for no deposit.',
    schema: parsedText(parseDepositPercent, errors.noDeposit),
  },
})

type Declarations = Record<string, { default?: string; schema: ZodType<string> }>
type ValuesOf<Declared extends Declarations> = {
  [Key in keyof Declared]: z.output<Declared[Key]['schema']>
}
export type ShopSettings = ValuesOf<typeof shopDeclarations> & { logo: string }
export type PaymentSettings = ValuesOf<typeof paymentDeclarations>
export type PageSettings = ShopSettings & PaymentSettings

const defaultsOf = <Declared extends Declarations>(declarations: Declared) =>
  mapValues(declarations, (declaration) => declaration.default ?? '') as ValuesOf<Declared>
export const defaultSettings: ShopSettings = { ...defaultsOf(shopDeclarations), logo: '' }
export const defaultPaymentSettings: PaymentSettings = defaultsOf(paymentDeclarations)

const pageDeclarations = { ...shopDeclarations, ...paymentDeclarations }
type PageKey = keyof typeof pageDeclarations

export type SettingSection = { id: string; title: string; hint?: string; inputs: SettingInput[] }

export const settingSections: readonly SettingSection[] = Object.entries(sections).map(
  ([id, section]) => ({
    id,
    ...section,
    inputs: Object.entries(pageDeclarations)
      .filter(([, declaration]) => declaration.section === id)
      .map(([key, { section: _section, default: _default, schema: _schema, ...input }]) => ({
        key: key as PageKey,
        ...input,
      })),
  }),
)
export const settingLabels = mapValues(pageDeclarations, ({ label }) => label)

const required: { key: PageKey; noun: string; by: readonly PageKey[] }[] = [
  { key: 'accountHolder', noun: 'account holder', by: ['iban', 'routingNumber', 'accountNumber'] },
  { key: 'iban', noun: 'IBAN', by: ['bic'] },
  { key: 'routingNumber', noun: 'routing number', by: ['accountNumber'] },
  { key: 'accountNumber', noun: 'account number', by: ['routingNumber'] },
]

/** Without `when`, zod would check this only after all other errors are corrected. [AGREE-41] */
const schema = required.reduce(
  (schema, { key, noun, by }) =>
    schema.refine((typed) => typed[key] !== '' || by.every((dependent) => !typed[dependent]), {
      path: [key],
      error: errors.missing(noun),
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  z.object(
    mapValues(pageDeclarations, ({ schema }) => schema) as {
      [Key in PageKey]: (typeof pageDeclarations)[Key]['schema']
    },
  ),
)

export const settingsForm = { defaults: defaultsOf(pageDeclarations), schema }
