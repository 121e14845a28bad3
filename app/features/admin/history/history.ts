import { invoiceNumber } from '#conversation/invoice-number.ts'
import { shortDiscountText } from '#discounts/discount.ts'
import { type Discount, formatMoney } from '#pricing/money.ts'
import type { Currency } from '#lib/text/currency.ts'
import { storableText } from '#lib/text/storable-text.ts'
import { type AuditAction, type AuditDetail, isAuditDetail } from '#services/audit-actions.ts'

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
}
type AuditArea = keyof typeof areas

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
type AuditMessage = { kind: AuditArea; place: SubjectType; text: string | FormatMessage }

const messageFor =
  (kind: AuditArea, place: SubjectType) =>
  (text: string | FormatMessage): AuditMessage => ({ kind, place, text })
const items = messageFor('items', 'item')
const colors = messageFor('colors', 'color')
const categories = messageFor('categories', 'category')
const itemDiscounts = messageFor('discounts', 'item')
const colorDiscounts = messageFor('discounts', 'color')
const orders = messageFor('orders', 'order')
const soldItems = messageFor('sales', 'order')
const receipts = messageFor('sales', 'receipt')
const testimonials = messageFor('testimonials', 'testimony')
const credits = messageFor('testimonials', 'receipt')
const mail = messageFor('mail', 'email')
const settings = messageFor('settings', 'settings')
const home = messageFor('settings', 'home')
const replies = messageFor('settings', 'replies')
const backups = messageFor('settings', 'backups')
const account = messageFor('account', 'account')

export const auditMessages = {
  'add-item': items('Added the item {name}'),
  'update-item': items('Changed the item {name}'),
  'publish-item': items('Published the item {name}'),
  'retire-item': items('Took the item {name} from sale'),
  'sell-item-again': items('Offered the item {name} for sale again'),
  'duplicate-item': items('Copied an item as {name}'),
  'order-items': messageFor('items', 'items')('Arranged the pieces'),
  'delete-item': items('Deleted the item {name}'),
  'import-items': items((name, detail) => `${importedText(detail)} by the table “${name}”`),
  'add-color': colors('Added the color {color}'),
  'mark-color': colors('Marked the color {color} as {availability}'),
  'change-color': colors('Changed the color {color}'),
  'delete-color': colors('Deleted the color {color}'),
  'save-category': categories('Changed the category {name}'),
  'change-category-image': categories('Changed the picture of the category {name}'),
  'hide-category': categories('Hid the category {name}'),
  'show-category': categories('Showed the category {name}'),
  'order-categories': categories('Reordered the categories'),
  'discount-items': itemDiscounts('Put {items} on sale{discount}'),
  'end-items-discount': itemDiscounts('Ended the sale of {items}'),
  'discount-color': colorDiscounts('Put the color {color} on sale{discount}'),
  'end-color-discount': colorDiscounts('Ended the sale of the color {color}'),
  'undo-discount': messageFor('discounts', 'discounts')((_, detail) => undoneDetail(detail)),
  'close-order': orders('Closed the order of {name}'),
  'reopen-order': orders('Reopened the order of {name}'),
  'delete-conversation': orders('Deleted the conversation with {name}'),
  'remove-order-item': orders(
    (name, detail) => `Took ${detailText(detail, 'item') || 'an item'} out of the order of ${name}`,
  ),
  'send-offer': orders('Sent an offer to {name}'),
  'request-change-offer': orders('{name} asked to change an offer'),
  'accept-offer': orders('{name} accepted an offer'),
  'withdraw-offer': orders('Withdrew the offer to {name}'),
  'replace-offer': orders('Replaced the offer to {name}'),
  'expire-offer': orders('The offer to {name} expired'),
  'cancel-offer': orders('Canceled the agreement with {name}'),
  'move-piece': orders(
    (name, detail) =>
      `Moved ${name}${withSuffix(' for ', detailText(detail, 'buyer'))} to another step`,
  ),
  'order-queued-pieces': messageFor('orders', 'queue')('Reordered the pieces to make'),
  'record-payment': orders('Marked {paidCents} from {name} as paid'),
  'take-back-payment': orders('Undid the payment of {paidCents} by {name}'),
  'give-address': orders('{name} gave an address for a parcel'),
  'ship-parcel': orders('Shipped the parcel of {name}'),
  'correct-tracking': orders('Corrected the tracking of the parcel of {name}'),
  'confirm-arrival': orders('{name} received her parcel'),
  'earn-credit': credits(
    (name, detail, currency) =>
      `${name} earned a credit${withSuffix(' of ', detailMoney(detail, 'creditCents', currency))} with a testimony`,
  ),
  'move-credit': credits('{name} kept the credit of a canceled purchase with a testimony'),
  'use-credit': orders('{name} used a credit in an offer'),
  'release-credit': orders('Gave {name} the credit of a canceled agreement back'),
  'hold-item': orders('Put {item} on hold for {name}'),
  'release-item': orders('Released {item}, which was on hold for {name}'),
  'end-hold': orders('The hold of {item} for {name} ended'),
  'complete-sale': soldItems('Sold {sale}'),
  'add-sale': receipts('Sold {sale}, outside a conversation'),
  'undo-sale': soldItems('Undid the sale of {sale}'),
  'cancel-sale': soldItems('Canceled the sale of {sale} on invoice {invoice}'),
  'create-ticket': messageFor('sales', 'testimony')('Created a testimony ticket for {name}'),
  'offer-ticket': credits('Offered {name} the testimony ticket in the conversation'),
  'set-mailbox': mail('Set up the mailbox {name}'),
  'remove-mailbox': mail('Removed the mailbox {name}'),
  'number-invoice': receipts('Printed invoice {invoice} for {name}'),
  'validate-testimony': testimonials('Validated the testimony of {name}'),
  'import-shop': settings('Imported a shop from {name}'),
  'show-testimony': testimonials('Showed the testimony of {name}'),
  'hide-testimony': testimonials('Hid the testimony of {name}'),
  'retry-email': mail('Retried sending the email “{name}”'),
  'cancel-email': mail(
    (name, detail) =>
      `Canceled the email “${detailText(detail, 'subject') || name}”${withSuffix(' to ', detailText(detail, 'to'))}`,
  ),
  'change-settings': settings('Changed the settings'),
  'add-circle': home('Added {name} to the ring on Home'),
  'change-circle': home('Changed the circle of {name} on Home'),
  'remove-circle': home('Took {name} out of the ring on Home'),
  'order-circles': home('Reordered the ring on Home'),
  'change-scene': messageFor('settings', 'scene')('Changed the picture “{name}”'),
  'make-backup': backups('Made the backup of {name}'),
  'download-backup': backups('Downloaded the backup of {name}'),
  'delete-backup': backups('Deleted the backup of {name}'),
  'restore-backup': backups('Restored the shop from the backup of {name}, on the server'),
  'add-saved-reply': replies('Added the saved reply “{name}”'),
  'change-saved-reply': replies('Changed the saved reply “{name}”'),
  'delete-saved-reply': replies('Deleted the saved reply “{name}”'),
  'turn-second-factor-on': account('Turned on two-step login for {name}'),
  'turn-second-factor-off': account(
    (name, { by }) => `Turned off two-step login for ${name}${commandSuffix(by)}`,
  ),
  'make-recovery-codes': account('Created new recovery codes for {name}'),
  'type-wrong-codes': account('Several wrong login codes were typed for {name}'),
  'use-recovery-code': account(
    (name, { left }) =>
      `Used a recovery code of ${name}${typeof left === 'number' ? `, ${left} left` : ''}`,
  ),
  'reset-owner-password': account('Reset the password of {name} on the server'),
  'log-out-people': account('Logged out {name} on the server'),
  'change-own-profile': account(
    (name, detail) => `Changed the ${detailText(detail, 'what') || 'name'} of ${name}`,
  ),
  'change-own-password': account('Changed the password of {name}'),
  'end-own-sessions': account('Logged out on other devices'),
  'delete-account': orders((name, detail) =>
    detailText(detail, 'by') === 'owner'
      ? `Deleted the account of ${name} at their request`
      : `The account of ${name} was deleted by the customer`,
  ),
  'export-account': orders('Downloaded all data of {name} at their request'),
  'create-password-link': orders('Created a link for a new password of {name}'),
  'change-own-email': account('Changed her own email to {name}'),
  'reset-own-password': account('Reset the password by an email to {name}'),
} satisfies Record<AuditAction, AuditMessage>

const placeholders: Record<string, FormatMessage> = {
  name: (name) => name,
  color: (name) => name.replaceAll('_', ' '),
  items: nameOrCount,
  availability: (_, detail) => availabilityText(detail),
  discount: (_, detail, currency) => discountText(detail, currency),
  sale: (name, detail, currency) =>
    `${name}${withSuffix(' to ', detailText(detail, 'buyer'))}${withSuffix(' for ', detailMoney(detail, 'salePriceCents', currency))}`,
  invoice: (_, { number }) => (typeof number === 'number' ? invoiceNumber(number) : ''),
}

const commandSuffix = (by: unknown) => (by === 'command' ? ' on the server' : '')
const detailText = (detail: AuditDetail, key: string) =>
  typeof detail[key] === 'string' ? detail[key] : ''
const withSuffix = (words: string, text: string) => (text ? `${words}${text}` : '')
const detailMoney = (detail: AuditDetail, key: string, currency: Currency) =>
  typeof detail[key] === 'number' ? formatMoney(detail[key], currency) : ''

function availabilityText({ isAvailable, isLowOnStock }: AuditDetail) {
  if (typeof isAvailable === 'boolean') return isAvailable ? 'available' : 'not available'
  return isLowOnStock ? 'low on stock' : 'not low on stock'
}

function importedText({ updated, added }: AuditDetail) {
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

/** Old events have no `count`, but the ids of the items. */
function nameOrCount(name: string, { count, ids }: AuditDetail) {
  const listedCount = Array.isArray(ids) ? ids.length : 1
  const total = typeof count === 'number' ? count : listedCount
  return total === 1 ? name : `${total} items`
}

export const isDiscount = (value: unknown): value is Discount =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'percent' || value.type === 'amount') &&
  'value' in value &&
  typeof value.value === 'number'

function discountText(detail: AuditDetail, currency: Currency) {
  const discount = isAuditDetail(detail.after) ? detail.after.discount : detail.discount
  return isDiscount(discount) ? ` with ${shortDiscountText(discount, currency)}` : ''
}

function undoneDetail(detail: AuditDetail) {
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

export type HistorySearch = {
  kind: AuditArea | null
  name: string
  before: number | null
}

export function parseHistorySearch(params: URLSearchParams) {
  const before = params.get('before') ?? ''
  return {
    kind: (Object.keys(areas) as AuditArea[]).find((area) => area === params.get('kind')) ?? null,
    name: storableText(params.get('name') ?? ''),
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  }
}

const isAuditAction = (act: string): act is AuditAction => Object.hasOwn(auditMessages, act)
export const auditMessageOf = (act: string) => (isAuditAction(act) ? auditMessages[act] : null)
export const actionsIn = (kind: AuditArea) =>
  Object.keys(auditMessages).filter(
    (act): act is AuditAction => isAuditAction(act) && auditMessages[act].kind === kind,
  )

/** The log may contain an action of a newer version of the shop, which has no message here. */
export function formatEvent(act: string, name: string, detail: AuditDetail, currency: Currency) {
  const message = auditMessageOf(act)
  if (!message) {
    return `${act.charAt(0).toUpperCase()}${act.slice(1).replaceAll('-', ' ')}${name ? `: ${name}` : ''}`
  }
  const title = name || 'something without a name'
  const { text } = message
  const sentence =
    typeof text === 'function'
      ? text(title, detail, currency)
      : text.replace(
          /\{(\w+)\}/g,
          (_, key: string) =>
            placeholders[key]?.(title, detail, currency) ??
            (detailText(detail, key) || detailMoney(detail, key, currency)),
        )
  return sentence.replace(/\s+/g, ' ')
}
