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
] as const

export type Act = (typeof ACTS)[number]
