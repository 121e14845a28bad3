export const salesTexts = {
  title: 'Sales',
  add: 'Add a sale',
  market: 'Market stall',
  methods: {
    cash: 'Cash',
    card: 'Card reader',
    paypal: 'PayPal',
    bank: 'Bank transfer',
    other: 'Other',
  } satisfies Record<SaleMethod, string>,
  period: 'Period',
  steps: {
    month: { previous: 'Previous month', next: 'Next month' },
    week: { previous: 'Previous week', next: 'Next week' },
  },
  weeks: ['All Weeks', '1st', '2nd', '3rd', '4th', '5th'],
  empty: 'No Sales Record',
  emptyHint: 'Sales that you complete in a conversation appear here.',
  pages: 'Pages of receipts',
  newest: 'Newest',
  older: 'Older',
  total: 'Total',
  otherYears: { before: 'Other years are in the ', link: 'Reports', after: '.' },
  canceled: ' (canceled)',
  cancellation: ' · Cancellation',
  print: 'Print',
  originalPrice: 'Original price: ',
  soldFor: 'Sold for: ',
}

export const SALE_METHODS = ['cash', 'card', 'paypal', 'bank', 'other'] as const
export type SaleMethod = (typeof SALE_METHODS)[number]

export const paymentMethodName = (method: string) =>
  (salesTexts.methods as Record<string, string>)[method] ?? method
