import { buyerDisplayName, type Receipt } from '#sales/receipt.ts'

export const printTexts = {
  title: (receipt: Receipt) => `Print for ${buyerDisplayName(receipt)}`,
  close: 'Close',
  documents: 'Documents',
  shippingFee: 'Shipping fee',
  shippingHint: 'Enter Shipping Price, 0 for FREE',
  print: 'Print',
  paperSize: 'Paper size of the PDF',
  download: 'Download PDF',
  hasNumber:
    'This invoice keeps its number, however often it is printed. It no longer changes; to correct it, cancel the sale.',
  noNumber: 'An invoice gets its number when it is first printed. After that it no longer changes.',
  buyerName: 'Name on the invoice',
  buyerAddress: 'Address on the invoice',
  addressHint: 'Optional. Stored with the invoice.',
  cancellation: 'Cancellation',
  sales: 'Sales of this receipt',
  canceled: 'Canceled',
  preview: 'Preview',
  nothingChosen: 'Select the documents for the package.',
  ticketCreated: 'Created Testimony Ticket',
}

export const printErrorTexts = {
  notANumber: 'Please enter the shipping fee as a number, such as 12.50.',
  nothing: 'Please select a document to print.',
  notFound: 'This receipt no longer exists.',
  longName: (limit: number) => `Please keep the name under ${limit} characters.`,
  longAddress: (limit: number) => `Please keep the address under ${limit} characters and 8 lines.`,
  hasNumber: (number: string) =>
    `Invoice ${number} got its number in the meantime and no longer changes. It shows what was stored with it.`,
  failed: 'The documents could not be created. Please try again.',
  noTicket: 'Erro Creating Testimony Ticket',
  missingCharacters: (hasScript: boolean) =>
    `The PDF font lacks some characters of a name or text. ${hasScript ? 'Print shows all characters.' : 'Please turn on JavaScript, and then press Print.'}`,
}

export const invoiceTexts = {
  name: 'Invoice',
  title: 'INVOICE',
  cancellationTitle: 'CANCELLATION',
  cancels: 'Cancels invoice',
  billTo: 'Bill to',
  number: 'Number',
  draft: 'Draft',
  date: 'Date',
  firstIssued: 'First issued',
  receipt: 'Receipt',
  paymentTotal: 'Payment total',
  item: 'Item',
  price: 'Price',
  amount: 'Amount',
  unknownPrice: '—',
  shipping: 'Shipping',
  free: 'FREE',
  total: 'Total',
  taxNumber: (number: string) => `Tax number: ${number}`,
  page: (number: string, page: number, pages: number) =>
    `Invoice ${number} · Page ${page} of ${pages}`,
}

export const cardTexts = {
  name: 'Thank you card',
  salutation: (receipt: Receipt) => `Dear ${buyerDisplayName(receipt)},`,
  closing: 'With love,',
}

export const ticketPaperTexts = {
  name: 'Testimony Ticket',
  offer: (amount: string) => `${amount} OFF`,
  offerFor: 'your next purchase for writing a testimony',
  how: 'Point your phone here, or type this address:',
  qr: 'QR code to the testimony page',
  unmade: 'The link and its QR code are created when you print.',
}

export const slipTexts = {
  title: 'Packing slip',
  from: 'From',
  to: 'Ship to',
  contents: 'Contents',
  quantity: (quantity: number) => `${quantity} ×`,
  print: 'Print',
  fontsMissing:
    'The PDF fonts lack letters of this slip. Your browser has them, so print this page instead.',
}
