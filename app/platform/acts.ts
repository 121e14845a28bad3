/**
 * The names of all that the owner does: what `recordAct` takes, and what the history (features/audit/acts.ts) has a sentence for. Verb first,
 * then the noun; the subject of an act is the plain id of the thing.
 */
export const ACTS = [
  'add-item',
  'update-item',
  'delete-item',
  'import-items',
  'add-color',
  'mark-color',
  'change-color',
  'delete-color',
  'save-category',
  'change-category-picture',
  'order-categories',
  'discount-items',
  'end-items-discount',
  'discount-color',
  'end-color-discount',
  'undo-discount',
  'close-order',
  'delete-conversation',
  'remove-order-item',
  'complete-sale',
  'create-ticket',
  'number-invoice',
  'change-shipping',
  'validate-testimony',
  'import-shop',
  'show-testimony',
  'hide-testimony',
  'try-letter-again',
  'give-letter-up',
  'change-settings',
  'add-saved-reply',
  'change-saved-reply',
  'delete-saved-reply',
<<<<<<< HEAD
=======
  'turn-second-factor-on',
  'turn-second-factor-off',
  'make-recovery-codes',
  'use-recovery-code',
  'reset-owner-password',
>>>>>>> lead
  // The owner's own account (034).
  'change-own-profile',
  'change-own-password',
  'end-own-sessions',
  'delete-account',
  'export-account',
  'change-own-email',
  'reset-own-password',
] as const

export type Act = (typeof ACTS)[number]
