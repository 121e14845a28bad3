/** Contains the message of each audit action. TypeScript reports an action that has no message. */
import type { FieldChange } from './field-changes.ts'
import { type AuditDetail, isAuditDetail } from '#app/services/audit-detail.ts'
import { shortDiscountText } from '#app/features/discounts/discount.ts'
import { type Discount, formatMoney } from '#app/features/pricing/money.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import { invoiceNumber } from '#app/features/orders/order.ts'

export const areas = {
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
type AuditArea = keyof typeof areas

/** Contains, for each type of subject, a function that returns the URL of the owner's page about the subject. */
export const subjectUrls = {
  item: (id) => `/manage/item/${encodeURIComponent(id)}`,
  items: () => '/manage/arrange/',
  queue: () => '/manage/queue/',
  color: () => '/manage/colors/',
  category: () => '/manage/category/',
  order: (id) => `/manage/messages/${encodeURIComponent(id)}`,
  testimony: () => '/manage/testimonials/',
  receipt: (id) => `/manage/sales/?receipt=${encodeURIComponent(id)}`,
  email: () => '/manage/mail/',
  discounts: () => '/manage/discount/',
  settings: () => '/manage/settings/',
  home: () => '/manage/home/',
  scene: (name) => (name.startsWith('slide') ? '/manage/about/' : '/manage/home/'),
  replies: () => '/manage/replies/',
  backups: () => '/manage/backups/',
  account: () => '/account/',
} satisfies Record<string, (id: string) => string>
export type SubjectType = keyof typeof subjectUrls

type FormatMessage = (name: string, detail: AuditDetail, currency: Currency) => string
type AuditMessage = { kind: AuditArea; place: SubjectType; say: FormatMessage }

const messageFor =
  (kind: AuditArea, place: SubjectType) =>
  (say: FormatMessage): AuditMessage => ({ kind, place, say })
const items = messageFor('items', 'item')
const colors = messageFor('colors', 'color')
const categories = messageFor('categories', 'category')
const itemDiscounts = messageFor('discounts', 'item')
const colorDiscounts = messageFor('discounts', 'color')
const orders = messageFor('orders', 'order')
const soldItems = messageFor('sales', 'order')
const receipts = messageFor('sales', 'receipt')
const testimonials = messageFor('testimonials', 'testimony')
const mail = messageFor('mail', 'email')
const settings = messageFor('settings', 'settings')
const home = messageFor('settings', 'home')
const replies = messageFor('settings', 'replies')
const backups = messageFor('settings', 'backups')
const account = messageFor('account', 'account')

export const auditMessages = {
  'add-item': items((name) => `Added the item ${name}`),
  'update-item': items((name) => `Changed the item ${name}`),
  'publish-item': items((name) => `Published the item ${name}`),
  'retire-item': items((name) => `Took the item ${name} from sale`),
  'sell-item-again': items((name) => `Offered the item ${name} for sale again`),
  'duplicate-item': items((name) => `Copied an item as ${name}`),
  'order-items': messageFor('items', 'items')(() => 'Arranged the pieces'),
  'delete-item': items((name) => `Deleted the item ${name}`),
  'import-items': items((name, detail) => `${importedText(detail)} by the table “${name}”`),
  'add-color': colors((name) => `Added the color ${withSpaces(name)}`),
  'mark-color': colors(
    (name, detail) => `Marked the color ${withSpaces(name)} as ${availabilityText(detail)}`,
  ),
  'change-color': colors((name) => `Changed the color ${withSpaces(name)}`),
  'delete-color': colors((name) => `Deleted the color ${withSpaces(name)}`),
  'save-category': categories((name) => `Changed the category ${name}`),
  'change-category-picture': categories((name) => `Changed the picture of the category ${name}`),
  'hide-category': categories((name) => `Hid the category ${name}`),
  'show-category': categories((name) => `Showed the category ${name}`),
  'delete-category': categories((name) => `Removed the category ${name}`),
  'order-categories': categories(() => 'Reordered the categories'),
  'discount-items': itemDiscounts(
    (name, detail, currency) =>
      `Put ${nameOrCount(name, detail)} on sale${withDiscount(detail, currency)}`,
  ),
  'end-items-discount': itemDiscounts(
    (name, detail) => `Ended the sale of ${nameOrCount(name, detail)}`,
  ),
  'discount-color': colorDiscounts(
    (name, detail, currency) =>
      `Put the color ${withSpaces(name)} on sale${withDiscount(detail, currency)}`,
  ),
  'end-color-discount': colorDiscounts((name) => `Ended the sale of the color ${withSpaces(name)}`),
  'undo-discount': messageFor('discounts', 'discounts')((_, detail) => undoneDetail(detail)),
  'close-order': orders((name) => `Closed the order of ${name}`),
  'reopen-order': orders((name) => `Reopened the order of ${name}`),
  'delete-conversation': orders((name) => `Deleted the conversation with ${name}`),
  'remove-order-item': orders(
    (name, detail) => `Took ${detailText(detail, 'item') || 'an item'} out of the order of ${name}`,
  ),
  'send-offer': orders((name) => `Sent an offer to ${name}`),
  'request-change-offer': orders((name) => `${name} asked to change an offer`),
  'accept-offer': orders((name) => `${name} accepted an offer`),
  'withdraw-offer': orders((name) => `Withdrew the offer to ${name}`),
  'replace-offer': orders((name) => `Replaced the offer to ${name}`),
  'expire-offer': orders((name) => `The offer to ${name} expired`),
  'cancel-offer': orders((name) => `Canceled the agreement with ${name}`),
  'move-piece': orders(
    (name, detail) =>
      `Moved ${name}${withSuffix(' for ', detailText(detail, 'buyer'))} to another step`,
  ),
  'order-queued-pieces': messageFor('orders', 'queue')(() => 'Reordered the pieces to make'),
  'record-payment': orders(
    (name, detail, currency) =>
      `Marked ${detailMoney(detail, 'paidCents', currency)} from ${name} as paid`,
  ),
  'take-back-payment': orders(
    (name, detail, currency) =>
      `Undid the payment of ${detailMoney(detail, 'paidCents', currency)} by ${name}`,
  ),
  'give-address': orders((name) => `${name} gave an address for a parcel`),
  'ship-parcel': orders((name) => `Shipped the parcel of ${name}`),
  'correct-tracking': orders((name) => `Corrected the tracking of the parcel of ${name}`),
  'confirm-arrival': orders((name) => `${name} received her parcel`),
  'earn-credit': messageFor(
    'testimonials',
    'receipt',
  )(
    (name, detail, currency) =>
      `${name} earned a credit${withSuffix(' of ', detailMoney(detail, 'creditCents', currency))} with a testimony`,
  ),
  'move-credit': messageFor(
    'testimonials',
    'receipt',
  )((name) => `${name} kept the credit of a canceled purchase with a testimony`),
  'use-credit': orders((name) => `${name} used a credit in an offer`),
  'release-credit': orders((name) => `Gave ${name} the credit of a canceled agreement back`),
  'hold-item': orders((name, detail) => `Put ${detailText(detail, 'item')} on hold for ${name}`),
  'release-item': orders(
    (name, detail) => `Released ${detailText(detail, 'item')}, which was on hold for ${name}`,
  ),
  'end-hold': orders(
    (name, detail) => `The hold of ${detailText(detail, 'item')} for ${name} ended`,
  ),
  'complete-sale': soldItems(
    (name, detail, currency) => `Sold ${soldText(name, detail, currency)}`,
  ),
  'add-sale': receipts(
    (name, detail, currency) => `Sold ${soldText(name, detail, currency)}, outside a conversation`,
  ),
  'undo-sale': soldItems(
    (name, detail, currency) => `Undid the sale of ${soldText(name, detail, currency)}`,
  ),
  'cancel-sale': soldItems(
    (name, detail, currency) =>
      `Canceled the sale of ${soldText(name, detail, currency)} on invoice ${invoiceText(detail)}`,
  ),
  'create-ticket': messageFor(
    'sales',
    'testimony',
  )((name) => `Created a testimony ticket for ${name}`),
  'offer-ticket': messageFor(
    'testimonials',
    'receipt',
  )((name) => `Offered ${name} the testimony ticket in the conversation`),
  'set-mailbox': mail((name) => `Set up the mailbox ${name}`),
  'remove-mailbox': mail((name) => `Removed the mailbox ${name}`),
  'number-invoice': receipts(
    (name, detail) => `Printed invoice ${invoiceText(detail)} for ${name}`,
  ),
  'validate-testimony': testimonials((name) => `Validated the testimony of ${name}`),
  'import-shop': settings((name) => `Imported a shop from ${name}`),
  'show-testimony': testimonials((name) => `Showed the testimony of ${name}`),
  'hide-testimony': testimonials((name) => `Hid the testimony of ${name}`),
  'retry-email': mail((name) => `Retried sending the email “${name}”`),
  'cancel-email': mail(
    (name, detail) =>
      `Canceled the email “${detailText(detail, 'subject') || name}”${withSuffix(' to ', detailText(detail, 'to'))}`,
  ),
  'change-settings': settings(() => 'Changed the settings'),
  'add-circle': home((name) => `Added ${name} to the ring on Home`),
  'change-circle': home((name) => `Changed the circle of ${name} on Home`),
  'remove-circle': home((name) => `Took ${name} out of the ring on Home`),
  'order-circles': home(() => 'Reordered the ring on Home'),
  'change-scene': messageFor('settings', 'scene')((name) => `Changed the picture “${name}”`),
  'make-backup': backups((name) => `Made the backup of ${name}`),
  'download-backup': backups((name) => `Downloaded the backup of ${name}`),
  'delete-backup': backups((name) => `Deleted the backup of ${name}`),
  'restore-backup': backups(
    (name) => `Restored the shop from the backup of ${name}, on the server`,
  ),
  'add-saved-reply': replies((name) => `Added the saved reply “${name}”`),
  'change-saved-reply': replies((name) => `Changed the saved reply “${name}”`),
  'delete-saved-reply': replies((name) => `Deleted the saved reply “${name}”`),
  'turn-second-factor-on': account((name) => `Turned on two-step login for ${name}`),
  'turn-second-factor-off': account(
    (name, { by }) => `Turned off two-step login for ${name}${commandSuffix(by)}`,
  ),
  'make-recovery-codes': account((name) => `Created new recovery codes for ${name}`),
  'type-wrong-codes': account((name) => `Several wrong login codes were typed for ${name}`),
  'use-recovery-code': account(
    (name, { left }) =>
      `Used a recovery code of ${name}${typeof left === 'number' ? `, ${left} left` : ''}`,
  ),
  'reset-owner-password': account((name) => `Reset the password of ${name} on the server`),
  'log-out-people': account((name) => `Logged out ${name} on the server`),
  'change-own-profile': account(
    (name, detail) => `Changed the ${detailText(detail, 'what') || 'name'} of ${name}`,
  ),
  'change-own-password': account((name) => `Changed the password of ${name}`),
  'end-own-sessions': account(() => 'Logged out on other devices'),
  'delete-account': orders((name, detail) =>
    detailText(detail, 'by') === 'owner'
      ? `Deleted the account of ${name} at their request`
      : `The account of ${name} was deleted by the customer`,
  ),
  'export-account': orders((name) => `Downloaded all data of ${name} at their request`),
  'change-own-email': account((name) => `Changed her own email to ${name}`),
  'reset-own-password': account((name) => `Reset the password by an email to ${name}`),
} satisfies Record<string, AuditMessage>

type AuditAction = keyof typeof auditMessages
declare module '#app/services/audit-detail.ts' {
  interface AuditActions extends Record<AuditAction, AuditMessage> {}
}

const commandSuffix = (by: unknown): string => (by === 'command' ? ' on the server' : '')
const withSpaces = (name: string): string => name.replaceAll('_', ' ')
const detailText = (detail: AuditDetail, key: string): string =>
  typeof detail[key] === 'string' ? detail[key] : ''
const withSuffix = (words: string, text: string): string => (text ? `${words}${text}` : '')
const invoiceText = ({ number }: AuditDetail): string =>
  typeof number === 'number' ? invoiceNumber(number) : ''
const soldText = (name: string, detail: AuditDetail, currency: Currency): string =>
  `${name}${withSuffix(' to ', detailText(detail, 'buyer'))}${withSuffix(' for ', detailMoney(detail, 'salePriceCents', currency))}`
const detailMoney = (detail: AuditDetail, key: string, currency: Currency): string =>
  typeof detail[key] === 'number' ? formatMoney(detail[key], currency) : ''

function availabilityText({ isAvailable, isLowOnStock }: AuditDetail): string {
  if (typeof isAvailable === 'boolean') return isAvailable ? 'available' : 'not available'
  return isLowOnStock ? 'low on stock' : 'not low on stock'
}

function importedText({ updated, added }: AuditDetail): string {
  const items = (count: unknown, word: string) =>
    typeof count === 'number' && count > 0
      ? [`${word} ${count === 1 ? 'an item' : `${count} items`}`]
      : []
  const [first = 'Changed items', ...rest] = [
    ...items(updated, 'Changed'),
    ...items(added, 'added'),
  ]
  return [first.replace(/^a/, 'A'), ...rest].join(' and ')
}

/** Returns the item's name, or the number of several items, such as "12 items". Old events contain the items' ids instead of their number. */
function nameOrCount(name: string, { count, ids }: AuditDetail): string {
  const many = typeof count === 'number' ? count : Array.isArray(ids) ? ids.length : 1
  return many === 1 ? name : `${many} items`
}

export const isDiscount = (value: unknown): value is Discount =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'percent' || value.type === 'amount') &&
  'value' in value &&
  typeof value.value === 'number'

function withDiscount(detail: AuditDetail, currency: Currency): string {
  const given = isAuditDetail(detail.after) ? detail.after.discount : detail.discount
  return isDiscount(given) ? ` with ${shortDiscountText(given, currency)}` : ''
}

function undoneDetail(detail: AuditDetail): string {
  const names = Array.isArray(detail.left)
    ? detail.left.filter((name) => typeof name === 'string')
    : []
  const more = typeof detail.leftCount === 'number' ? detail.leftCount - names.length : 0
  const left =
    names.length > 0
      ? `. Not restored, because they were changed since then: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
      : ''
  const what = detailText(detail, 'what').replace(/\.$/, '')
  return `Undid: ${what || 'a change of discounts'}${left}`
}

export type AuditLogSearch = {
  kind: AuditArea | null
  name: string
  before: number | null
}

export type AuditLogEntry = {
  seq: number
  at: number
  text: string
  kind: string
  changes: FieldChange[]
  to: string | null
  canUndo: boolean
}
export type AuditLogView = { search: AuditLogSearch; lines: AuditLogEntry[]; older: number | null }

export function parseAuditLogSearch(params: URLSearchParams): AuditLogSearch {
  const before = params.get('before') ?? ''
  return {
    kind: (Object.keys(areas) as AuditArea[]).find((known) => known === params.get('kind')) ?? null,
    name: (params.get('name') ?? '').replaceAll('\u0000', '').toWellFormed(),
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  }
}

const isAuditAction = (act: string): act is AuditAction => Object.hasOwn(auditMessages, act)
export const auditMessageOf = (act: string): AuditMessage | null =>
  isAuditAction(act) ? auditMessages[act] : null
export const actionsIn = (kind: AuditArea): AuditAction[] =>
  Object.keys(auditMessages).filter(
    (act): act is AuditAction => isAuditAction(act) && auditMessages[act].kind === kind,
  )

/** Returns the sentence about an event. An action of a newer version of the shop has no sentence here, so the action's name is shown instead. */
export function formatEvent(
  act: string,
  name: string,
  detail: AuditDetail,
  currency: Currency,
): string {
  const message = auditMessageOf(act)
  if (message)
    return message.say(name || 'something without a name', detail, currency).replace(/\s+/g, ' ')
  return `${act.charAt(0).toUpperCase()}${act.slice(1).replaceAll('-', ' ')}${name ? `: ${name}` : ''}`
}
