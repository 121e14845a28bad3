/** A new act does not compile before it has a line here; its name is a verb, then a noun. */
import { type Detail, isDetail } from '#app/platform/audit-detail.ts'
import { shortly } from '#app/features/discounts/discount-texts.ts'
import { type Discount, formatMoney } from '#app/features/pricing/money.ts'
import { invoiceNumber } from '#app/features/print-documents/paper.ts'

export const kinds = {
  items: 'Merchandise',
  colors: 'Colors',
  categories: 'Categories',
  discounts: 'Discounts',
  orders: 'Orders',
  sales: 'Sales',
  testimonials: 'Testimonials',
  mail: 'Mail',
  settings: 'Settings',
  account: 'Account',
} as const
export type Kind = keyof typeof kinds

/** Where the thing that the subject names can be looked at. */
export const places = {
  item: (id) => `/manage/item/${encodeURIComponent(id)}`,
  color: () => '/manage/colors/',
  category: () => '/manage/category/',
  order: (id) => `/manage/messages/${encodeURIComponent(id)}`,
  testimony: () => '/manage/testimonials/',
  receipt: (id) => `/manage/sales/?receipt=${encodeURIComponent(id)}`,
  letter: () => '/manage/mail/',
  discounts: () => '/manage/discount/',
  settings: () => '/manage/settings/',
  replies: () => '/manage/replies/',
  backups: () => '/manage/backups/',
  account: () => '/account/',
} satisfies Record<string, (id: string) => string>
export type Place = keyof typeof places

type Say = (name: string, detail: Detail) => string
type Told = { kind: Kind; place: Place; say: Say }

const told =
  (kind: Kind, place: Place) =>
  (say: Say): Told => ({ kind, place, say })
const items = told('items', 'item')
const colors = told('colors', 'color')
const categories = told('categories', 'category')
const itemDiscounts = told('discounts', 'item')
const colorDiscounts = told('discounts', 'color')
const orders = told('orders', 'order')
const receipts = told('sales', 'receipt')
const testimonials = told('testimonials', 'testimony')
const mail = told('mail', 'letter')
const settings = told('settings', 'settings')
const replies = told('settings', 'replies')
const backups = told('settings', 'backups')
const account = told('account', 'account')

export const tellings = {
  'add-item': items((name) => `Added the item ${name}`),
  'update-item': items((name) => `Changed the item ${name}`),
  'delete-item': items((name) => `Deleted the item ${name}`),
  'import-items': items((name, detail) => `${importedText(detail)} by the table “${name}”`),
  'add-color': colors((name) => `Added the color ${spaced(name)}`),
  'mark-color': colors((name, detail) => `Marked the color ${spaced(name)} as ${markOf(detail)}`),
  'change-color': colors((name) => `Changed the color ${spaced(name)}`),
  'delete-color': colors((name) => `Deleted the color ${spaced(name)}`),
  'save-category': categories((name) => `Changed the category ${name}`),
  'change-category-picture': categories((name) => `Changed the picture of the category ${name}`),
  'order-categories': categories(() => 'Put the categories in a new order'),
  'discount-items': itemDiscounts((name, detail) => `Put ${manyOr(name, detail)} on sale${withDiscount(detail)}`),
  'end-items-discount': itemDiscounts((name, detail) => `Ended the sale of ${manyOr(name, detail)}`),
  'discount-color': colorDiscounts((name, detail) => `Put the color ${spaced(name)} on sale${withDiscount(detail)}`),
  'end-color-discount': colorDiscounts((name) => `Ended the sale of the color ${spaced(name)}`),
  'undo-discount': told('discounts', 'discounts')((_, detail) => undone(detail)),
  'close-order': orders((name) => `Closed the order of ${name}`),
  'delete-conversation': orders((name) => `Deleted the conversation with ${name}`),
  'remove-order-item': orders((name, detail) => `Took ${textIn(detail, 'item') || 'an item'} out of the order of ${name}`),
  'complete-sale': told(
    'sales',
    'order',
  )((name, detail) => `Sold ${name}${after(' to ', textIn(detail, 'buyer'))}${after(' for ', centsIn(detail, 'salePriceCents'))}`),
  'create-ticket': told('sales', 'testimony')((name) => `Printed a testimony ticket for ${name}`),
  'number-invoice': receipts((name, detail) => `Printed invoice ${invoiceIn(detail)} for ${name}`),
  'change-shipping': receipts((name, detail) => `Changed the shipping fee on invoice ${invoiceIn(detail)} for ${name}`),
  'validate-testimony': testimonials((name) => `Validated the testimony of ${name}`),
  'import-shop': settings((name) => `Moved a shop in from ${name}`),
  'show-testimony': testimonials((name) => `Showed the testimony of ${name}`),
  'hide-testimony': testimonials((name) => `Hid the testimony of ${name}`),
  'try-letter-again': mail((name) => `Tried again to send the letter “${name}”`),
  'give-letter-up': mail(
    (name, detail) => `Gave up the letter “${textIn(detail, 'subject') || name}”${after(' to ', textIn(detail, 'to'))}`,
  ),
  'change-settings': settings(() => 'Changed the settings'),
  'make-backup': backups((name) => `Made the backup of ${name}`),
  'download-backup': backups((name) => `Downloaded the backup of ${name}`),
  'delete-backup': backups((name) => `Deleted the backup of ${name}`),
  'restore-backup': backups((name) => `Restored the shop from the backup of ${name}, on the machine`),
  'add-saved-reply': replies((name) => `Added the saved reply “${name}”`),
  'change-saved-reply': replies((name) => `Changed the saved reply “${name}”`),
  'delete-saved-reply': replies((name) => `Deleted the saved reply “${name}”`),
  'turn-second-factor-on': account((name) => `Turned on two-step login for ${name}`),
  'turn-second-factor-off': account((name, { by }) => `Turned off two-step login for ${name}${onMachine(by)}`),
  'make-recovery-codes': account((name) => `Made new recovery codes for ${name}`),
  'use-recovery-code': account(
    (name, { left }) => `Logged in as ${name} with a recovery code${typeof left === 'number' ? `, ${left} left` : ''}`,
  ),
  'reset-owner-password': account((name) => `Reset the password of ${name} on the machine`),
  'log-out-people': account((name) => `Logged out ${name} on the machine`),
  'change-own-profile': account((name, detail) => `Changed the ${textIn(detail, 'what') || 'name'} of ${name}`),
  'change-own-password': account((name) => `Changed the password of ${name}`),
  'end-own-sessions': account(() => 'Logged out on other devices'),
  'delete-account': orders((name, detail) =>
    textIn(detail, 'by') === 'owner'
      ? `Deleted the account of ${name} at their request`
      : `The account of ${name} was deleted: they left by themselves`,
  ),
  'export-account': orders((name) => `Downloaded all data of ${name} at their request`),
  'change-own-email': account((name) => `Changed her own e-mail to ${name}`),
  'reset-own-password': account((name) => `Chose a new password by a letter to ${name}`),
} satisfies Record<string, Told>

export type Act = keyof typeof tellings
declare module '#app/platform/audit-detail.ts' {
  interface Acts extends Record<Act, Told> {}
}

const onMachine = (by: unknown): string => (by === 'command' ? ' on the machine' : '')
const spaced = (name: string): string => name.replaceAll('_', ' ')
const textIn = (detail: Detail, key: string): string => (typeof detail[key] === 'string' ? detail[key] : '')
const after = (words: string, text: string): string => (text ? `${words}${text}` : '')
const invoiceIn = ({ number }: Detail): string => (typeof number === 'number' ? invoiceNumber(number) : '')
const centsIn = (detail: Detail, key: string): string => (typeof detail[key] === 'number' ? formatMoney(detail[key]) : '')

function markOf({ isAvailable, isLowOnStock }: Detail): string {
  if (typeof isAvailable === 'boolean') return isAvailable ? 'available' : 'not available'
  return isLowOnStock ? 'low on stock' : 'not low on stock'
}

function importedText({ updated, added }: Detail): string {
  const items = (count: unknown, word: string) =>
    typeof count === 'number' && count > 0 ? [`${word} ${count === 1 ? 'an item' : `${count} items`}`] : []
  const [first = 'Changed items', ...rest] = [...items(updated, 'Changed'), ...items(added, 'added')]
  return [first.replace(/^a/, 'A'), ...rest].join(' and ')
}

/** "Moon wall", or "12 items"; acts of old listed the ids. */
function manyOr(name: string, { count, ids }: Detail): string {
  const many = typeof count === 'number' ? count : Array.isArray(ids) ? ids.length : 1
  return many === 1 ? name : `${many} items`
}

const isDiscount = (value: unknown): value is Discount =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'percent' || value.type === 'amount') &&
  'value' in value &&
  typeof value.value === 'number'

function withDiscount(detail: Detail): string {
  const given = isDetail(detail.after) ? detail.after.discount : detail.discount
  return isDiscount(given) ? ` with ${shortly(given)}` : ''
}

function undone(detail: Detail): string {
  const names = Array.isArray(detail.left) ? detail.left.filter((name) => typeof name === 'string') : []
  const more = typeof detail.leftCount === 'number' ? detail.leftCount - names.length : 0
  const left = names.length > 0 ? `. Left as changed since then: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}` : ''
  const what = textIn(detail, 'what').replace(/\.$/, '')
  return `Undid: ${what || 'a change of discounts'}${left}`
}

export type HistorySearch = {
  kind: Kind | null
  name: string
  before: number | null
}

export type Change = { what: string; before: string; after: string }
export type HistoryLine = { seq: number; at: number; text: string; kind: string; changes: Change[]; to: string | null; canUndo: boolean }
export type HistoryView = { search: HistorySearch; lines: HistoryLine[]; older: number | null }

export function readHistorySearch(params: URLSearchParams): HistorySearch {
  const before = params.get('before') ?? ''
  return {
    kind: (Object.keys(kinds) as Kind[]).find((known) => known === params.get('kind')) ?? null,
    name: (params.get('name') ?? '').replaceAll('\u0000', '').toWellFormed(),
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  }
}

const isAct = (act: string): act is Act => Object.hasOwn(tellings, act)
export const tellingOf = (act: string): Told | null => (isAct(act) ? tellings[act] : null)
export const actsOf = (kind: Kind): Act[] => Object.keys(tellings).filter((act): act is Act => isAct(act) && tellings[act].kind === kind)

/** An act that this version does not know, from a newer one for instance, says at least its name. */
export function sentenceOf(act: string, name: string, detail: Detail): string {
  const telling = tellingOf(act)
  if (telling) return telling.say(name || 'something without a name', detail).replace(/\s+/g, ' ')
  return `${act.charAt(0).toUpperCase()}${act.slice(1).replaceAll('-', ' ')}${name ? `: ${name}` : ''}`
}

/** What `before` and `after` of the detail say, field by field. Secrets are never written there; this is a second lock. */
export function changesOf({ before, after }: Detail): Change[] {
  if (!isDetail(after) || !isDetail(before)) return []
  return Object.keys(after)
    .filter((key) => !/password|secret|token|key$/i.test(key))
    .map((key) => ({ what: labelOf(key), before: shown(key, before[key]), after: shown(key, after[key]) }))
    .filter((change) => change.before !== change.after)
}

/** 'priceCents' → "Price", 'isPromoShown' → "Promo shown" */
const labelOf = (key: string): string => {
  const words = key
    .replace(/^is(?=[A-Z])|Cents$|Id$/g, '')
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const LONGEST = 140

function shown(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (isDiscount(value)) return shortly(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return key.endsWith('Cents') ? formatMoney(value) : String(value)
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : ''
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text || 'something else'
}
