export const receiptKey = (sale: { id: string; receiptTag: string | null }) =>
  sale.receiptTag || sale.id
