/** Describes the sections and fields of the settings page. If you add a setting, also add its type in shop-settings.ts, and its default and its check in setting-values.server.ts. */
import { accentNames, accents } from './accents.ts'
import type { PaymentSettings } from './payment-settings.ts'
import { DEFAULT_THEMES, type ShopSettings } from './shop-settings.ts'
import { settingsTexts as texts } from './texts.ts'

/** The logo is not a field of the settings form, because the owner uploads it in a separate form. */
export type PageSettings = ShopSettings & PaymentSettings
export type SettingKey = Exclude<keyof PageSettings, 'logo'>

export type SettingField = {
  key: SettingKey
  /** the type of the field, which is 'text' by default */
  type?: 'text' | 'email' | 'tel' | 'textarea' | 'checkbox' | 'select' | 'radio'
  hint?: string | undefined
  rows?: number
  /** the options of a select or of radio buttons, unless the server sends the options as `choices`; `colors` are the samples beside an option */
  options?: readonly { value: string; label: string; colors?: readonly string[] }[]
}

export type SettingGroup = {
  id: string
  title: string
  hint?: string
  fields: readonly SettingField[]
}

export const settingGroups: readonly SettingGroup[] = [
  {
    id: 'shop',
    title: texts.shop,
    fields: [
      { key: 'name' },
      { key: 'ownerName', hint: texts.ownerNameHint },
      { key: 'city' },
      { key: 'tagline', hint: texts.taglineHint },
    ],
  },
  {
    id: 'contact',
    title: texts.contact,
    fields: [
      { key: 'email', type: 'email' },
      { key: 'phone', type: 'tel' },
      { key: 'facebook', hint: texts.socialHint },
      { key: 'instagram', hint: texts.socialHint },
    ],
  },
  {
    id: 'appearance',
    title: texts.appearance,
    fields: [
      {
        key: 'accent',
        type: 'radio',
        options: accentNames.map((value) => ({
          value,
          label: texts.accents[value],
          colors: [accents[value].dark.accent, accents[value].light.accent],
        })),
      },
      {
        key: 'defaultTheme',
        type: 'radio',
        hint: texts.themeHint,
        options: DEFAULT_THEMES.map((value) => ({ value, label: texts.themes[value] })),
      },
    ],
  },
  {
    id: 'texts',
    title: texts.texts,
    fields: [
      { key: 'mention', type: 'textarea', rows: 4, hint: texts.mentionHint },
      { key: 'terms', type: 'textarea', rows: 8, hint: texts.termsHint },
      { key: 'thankYouLetter', type: 'textarea' },
    ],
  },
  {
    id: 'documents',
    title: texts.documents,
    fields: [
      { key: 'address', type: 'textarea', rows: 3, hint: texts.addressHint },
      { key: 'taxNumber', hint: texts.taxNumberHint },
      { key: 'invoiceFooter' },
      { key: 'defaultShipping', hint: texts.defaultShippingHint },
      {
        key: 'paperSize',
        type: 'select',
        options: [
          { value: '', label: texts.paperSizes.byTimeZone },
          { value: 'Letter', label: texts.paperSizes.Letter },
          { value: 'A4', label: texts.paperSizes.A4 },
        ],
      },
    ],
  },
  {
    id: 'payments',
    title: texts.payments,
    hint: texts.paymentsHint,
    fields: [
      { key: 'payPal', hint: texts.payPalHint },
      { key: 'venmo', hint: texts.dollarsHint },
      { key: 'cashApp', hint: texts.dollarsHint },
      { key: 'accountHolder', hint: texts.accountHolderHint },
      { key: 'iban' },
      { key: 'bic', hint: texts.bicHint },
      { key: 'routingNumber' },
      { key: 'accountNumber' },
      { key: 'cashAtHandover', type: 'checkbox' },
      { key: 'otherWay', type: 'textarea', rows: 3, hint: texts.otherWayHint },
      { key: 'depositPercent', hint: texts.depositHint },
    ],
  },
  {
    id: 'region',
    title: texts.region,
    fields: [
      { key: 'currencyCode', type: 'select', hint: texts.currencyHint },
      { key: 'currencySymbol', hint: texts.currencySymbolHint },
      {
        key: 'currencyPosition',
        type: 'select',
        options: [
          { value: 'before', label: texts.currencyPositions.before },
          { value: 'after', label: texts.currencyPositions.after },
        ],
      },
      { key: 'timeZone', type: 'select', hint: texts.timeZoneHint },
    ],
  },
  {
    id: 'pieces',
    title: texts.pieces,
    hint: texts.piecesHint,
    fields: [
      { key: 'leadTime', hint: texts.leadTimeHint },
      { key: 'piecesPerWeek', hint: texts.piecesPerWeekHint },
      { key: 'shipsFrom', hint: texts.shipsFromHint },
      { key: 'returns', hint: texts.returnsHint },
      {
        key: 'sizeUnits',
        type: 'select',
        options: [
          { value: '', label: texts.sizeUnits.typed },
          { value: 'inches', label: texts.sizeUnits.inches },
        ],
      },
      {
        key: 'soldPieces',
        type: 'select',
        hint: texts.soldPiecesHint,
        options: [
          { value: '', label: texts.soldPieces.hidden },
          { value: 'shown', label: texts.soldPieces.shown },
        ],
      },
    ],
  },
  {
    id: 'after-delivery',
    title: texts.afterDelivery,
    fields: [{ key: 'ticketDays', hint: texts.ticketDaysHint }],
  },
  {
    id: 'search',
    title: texts.search,
    fields: [{ key: 'synonyms', type: 'textarea', rows: 10, hint: texts.synonymsHint }],
  },
]

export const settingFields: readonly SettingField[] = settingGroups.flatMap(({ fields }) => fields)
