/** Contains the default of every setting, and checks what the owner types. */
import { z } from 'zod'
import { MAX_NAME_LENGTH } from '#app/lib/auth/account-limits.ts'
import { parseName } from '#app/lib/auth/person-name.ts'
import { parseMoney } from '#app/features/pricing/money.ts'
import { priceTexts } from '#app/features/pricing/texts.ts'
import { US_DOLLAR } from '#app/lib/text/currency.ts'
import { currencyCodes, parseTimeZone } from './regional-settings.server.ts'
import { accentNames, DEFAULT_ACCENT } from './accents.ts'
import {
  DEFAULT_THEMES,
  type MessagingSettings,
  parseSocialPage,
  type ShopSettings,
  type SocialPage,
} from './shop-settings.ts'
import {
  parseDepositPercent,
  parseIban,
  parsePaymentName,
  parseRoutingNumber,
  type PaymentApp,
  type PaymentSettings,
} from './payment-settings.ts'
import { defaultTexts, settingsErrorTexts as texts } from './texts.ts'

export const defaultSettings: ShopSettings = {
  name: 'Knots & Love',
  city: '',
  ownerName: '',
  email: '',
  phone: '',
  facebook: '',
  instagram: '',
  logo: '',
  accent: DEFAULT_ACCENT,
  defaultTheme: 'dark',
  tagline: defaultTexts.tagline,
  mention: defaultTexts.mention,
  terms: defaultTexts.terms,
  thankYouLetter: defaultTexts.thankYouLetter,
  address: '',
  taxNumber: '',
  invoiceFooter: defaultTexts.invoiceFooter,
  defaultShipping: '',
  currencyCode: US_DOLLAR.code,
  currencySymbol: '',
  currencyPosition: US_DOLLAR.position,
  paperSize: '',
  timeZone: '',
  leadTime: '',
  piecesPerWeek: '',
  shipsFrom: '',
  returns: '',
  sizeUnits: '',
  ticketDays: '',
  soldPieces: '',
  synonyms: defaultTexts.synonyms,
}

export const defaultMessagingSettings: MessagingSettings = {
  reminderMinutes: 15,
  awayFrom: '',
  awayUntil: '',
  awayText: '',
}

export const defaultPaymentSettings: PaymentSettings = {
  payPal: '',
  venmo: '',
  cashApp: '',
  accountHolder: '',
  iban: '',
  bic: '',
  routingNumber: '',
  accountNumber: '',
  cashAtHandover: '',
  otherWay: '',
  depositPercent: '',
}

type Named = keyof typeof texts.names
const line = (field: Named, max = 100) =>
  z.string().trim().max(max, texts.tooLong(texts.names[field], max))
const required = (field: Named, max = 100) =>
  line(field, max).min(1, texts.missing(texts.names[field]))
const socialPage = (field: SocialPage) =>
  line(field, 300).transform((typed, context) => {
    const url = parseSocialPage(field, typed)
    if (url === null)
      context.addIssue({ code: 'custom', message: texts.noSocialPage(texts.names[field]) })
    return url ?? ''
  })

/** Returns true if each line has at least two words. The words of a line are synonyms. */
const hasGroups = (typed: string) =>
  typed
    .split('\n')
    .every(
      (row) => row.trim() === '' || row.split(',').filter((word) => word.trim() !== '').length > 1,
    )

export const SettingsSchema = z.object({
  name: required('name'),
  city: line('city'),
  tagline: line('tagline'),
  ownerName: z.string().transform((typed, context) => {
    const name = parseName(typed)
    if (name === null)
      context.addIssue({
        code: 'custom',
        message: texts.tooLong(texts.names.ownerName, MAX_NAME_LENGTH),
      })
    return name ?? ''
  }),
  email: z
    .string()
    .trim()
    .max(254, texts.noEmail)
    .pipe(z.union([z.literal(''), z.email(texts.noEmail)], texts.noEmail)),
  phone: line('phone', 40).refine(
    (typed) => typed === '' || (typed.match(/\d/g) ?? []).length >= 5,
    texts.noPhone,
  ),
  facebook: socialPage('facebook'),
  instagram: socialPage('instagram'),
  accent: z.enum(accentNames, texts.notInList),
  defaultTheme: z.enum(DEFAULT_THEMES, texts.notInList),
  mention: line('mention', 1000),
  terms: required('terms', 10_000),
  thankYouLetter: required('thankYouLetter', 10_000),
  address: line('address', 500),
  taxNumber: line('taxNumber'),
  invoiceFooter: line('invoiceFooter', 500),
  defaultShipping: line('defaultShipping', 20).refine(
    (typed) => typed === '' || parseMoney(typed) !== null,
    priceTexts.invalid,
  ),
  currencyCode: z.string().refine((code) => currencyCodes.includes(code), texts.noCurrency),
  currencySymbol: z
    .string()
    .trim()
    .regex(/^([\p{L}\p{Sc}][\p{L}\p{Sc}.]{0,4})?$/u, texts.noCurrencySymbol),
  currencyPosition: z.enum(['before', 'after'], texts.noCurrencyPosition),
  paperSize: z.enum(['', 'Letter', 'A4'], texts.noPaperSize),
  timeZone: z.string().transform((typed, context) => {
    const zone = parseTimeZone(typed)
    if (zone === null) context.addIssue({ code: 'custom', message: texts.noTimeZone })
    return zone ?? ''
  }),
  leadTime: line('leadTime', 120),
  piecesPerWeek: z
    .string()
    .trim()
    .regex(/^((?!0+([.,]0)?$)\d{1,3}([.,]\d)?)?$/, texts.noPiecesPerWeek)
    .transform((typed) => typed.replace(',', '.')),
  shipsFrom: line('shipsFrom', 120),
  returns: line('returns', 120),
  sizeUnits: z.enum(['', 'inches'], texts.noSizeUnits),
  ticketDays: z
    .string()
    .trim()
    .refine((typed) => /^\d{0,3}$/.test(typed) && Number(typed) <= 365, texts.noDays),
  soldPieces: z.enum(['', 'shown'], texts.notInList),
  synonyms: line('synonyms', 10_000).refine(hasGroups, texts.noGroup),
}) satisfies z.ZodType<Omit<ShopSettings, 'logo'>>

/** `parse` returns null for an invalid text. */
const parsed = (parse: (typed: string) => string | null, error: string) =>
  z.string().transform((typed, context) => {
    const value = parse(typed)
    if (value === null) context.addIssue({ code: 'custom', message: error })
    return value ?? ''
  })
const paymentName = (app: PaymentApp) =>
  parsed((typed) => parsePaymentName(app, typed), texts.noPaymentName(texts.names[app]))
/** Replaces line breaks, because banks accept none, and because a line break would change the meaning of the QR code. */
const oneLine = (typed: string) => typed.replaceAll(/\s+/g, ' ')

const PaymentSchema = z.object({
  payPal: paymentName('payPal'),
  venmo: paymentName('venmo'),
  cashApp: paymentName('cashApp'),
  accountHolder: z.string().transform(oneLine).pipe(line('accountHolder', 70)),
  iban: parsed(parseIban, texts.noIban),
  bic: z
    .string()
    .transform((typed) => typed.replaceAll(/\s/g, '').toUpperCase())
    .pipe(z.string().regex(/^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$/, texts.noBic)),
  routingNumber: parsed(parseRoutingNumber, texts.noRoutingNumber),
  accountNumber: z
    .string()
    .transform((typed) => typed.replaceAll(/[\s-]/g, ''))
    .pipe(z.string().regex(/^(\d{4,17})?$/, texts.noAccountNumber)),
  cashAtHandover: z.enum(['', 'yes'], texts.notInList),
  otherWay: line('otherWay', 500),
  depositPercent: parsed(parseDepositPercent, texts.noDeposit),
}) satisfies z.ZodType<PaymentSettings>

type PaymentKey = keyof PaymentSettings
/** Lists fields that are useless if another field is blank. */
const needed: { field: PaymentKey; by: readonly PaymentKey[] }[] = [
  { field: 'accountHolder', by: ['iban', 'routingNumber', 'accountNumber'] },
  { field: 'iban', by: ['bic'] },
  { field: 'routingNumber', by: ['accountNumber'] },
  { field: 'accountNumber', by: ['routingNumber'] },
]

/** Validates the settings form. A blank field that another field needs is reported together with all other errors. [AGREE-41] */
export const SettingsFormSchema = needed.reduce(
  (schema, { field, by }) =>
    schema.refine((typed) => typed[field] !== '' || by.every((other) => !typed[other]), {
      path: [field],
      error: texts.missing(texts.names[field as Named]),
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  SettingsSchema.extend(PaymentSchema.shape),
)
