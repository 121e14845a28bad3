const actionsNamingCustomer = [
  'close-order',
  'reopen-order',
  'delete-conversation',
  'remove-order-item',
  'send-offer',
  'request-change-offer',
  'accept-offer',
  'withdraw-offer',
  'replace-offer',
  'expire-offer',
  'cancel-offer',
  'record-payment',
  'take-back-payment',
  'give-address',
  'ship-parcel',
  'correct-tracking',
  'confirm-arrival',
  'earn-credit',
  'move-credit',
  'use-credit',
  'release-credit',
  'hold-item',
  'release-item',
  'end-hold',
  'create-ticket',
  'offer-ticket',
  'number-invoice',
  'validate-testimony',
  'show-testimony',
  'hide-testimony',
] as const

export const namesCustomer = (act: string) => actionsNamingCustomer.some((name) => name === act)

export type AuditAction =
  | (typeof actionsNamingCustomer)[number]
  | 'add-item'
  | 'update-item'
  | 'publish-item'
  | 'retire-item'
  | 'sell-item-again'
  | 'duplicate-item'
  | 'order-items'
  | 'delete-item'
  | 'import-items'
  | 'add-color'
  | 'mark-color'
  | 'change-color'
  | 'delete-color'
  | 'save-category'
  | 'change-category-image'
  | 'hide-category'
  | 'show-category'
  | 'order-categories'
  | 'discount-items'
  | 'end-items-discount'
  | 'discount-color'
  | 'end-color-discount'
  | 'undo-discount'
  | 'move-piece'
  | 'order-queued-pieces'
  | 'complete-sale'
  | 'add-sale'
  | 'undo-sale'
  | 'cancel-sale'
  | 'set-mailbox'
  | 'remove-mailbox'
  | 'import-shop'
  | 'retry-email'
  | 'cancel-email'
  | 'change-settings'
  | 'add-circle'
  | 'change-circle'
  | 'remove-circle'
  | 'order-circles'
  | 'change-scene'
  | 'make-backup'
  | 'download-backup'
  | 'delete-backup'
  | 'restore-backup'
  | 'add-saved-reply'
  | 'change-saved-reply'
  | 'delete-saved-reply'
  | 'turn-second-factor-on'
  | 'turn-second-factor-off'
  | 'make-recovery-codes'
  | 'type-wrong-codes'
  | 'use-recovery-code'
  | 'reset-owner-password'
  | 'log-out-people'
  | 'change-own-profile'
  | 'change-own-password'
  | 'end-own-sessions'
  | 'delete-account'
  | 'export-account'
  | 'create-password-link'
  | 'change-own-email'
  | 'reset-own-password'

export type AuditDetail = Readonly<Record<string, unknown>>

export const isAuditDetail = (value: unknown): value is AuditDetail =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
