import { formatCount, pluralize } from '#ui/format-count.ts'

export const reportsTexts = {
  title: 'Reports',
  year: 'Year',
  unreadable: 'The reports could not be read just now. Try again later.',
  empty: 'No Sales Record',
  emptyHint: (year: number) => `What you sell in ${year} appears here.`,
  noCategory: 'Without a category',
}

export const figureTexts = {
  revenue: 'Revenue',
  withoutShipping: (pieces: string) => `${pieces}, without shipping`,
  plusShipping: (pieces: string, shipping: string) => `${pieces}, plus ${shipping} shipping`,
  receipts: 'Receipts',
  average: (average: string) => `${average} on average`,
  discounts: 'Discounts given',
  requests: 'Requests that became sales',
  soldOf: (sold: number, requests: number) => `${sold} of ${requests}`,
}

export const salesDownloadTexts = {
  title: 'Download',
  intro:
    'As a table for your spreadsheet or your tax adviser. Leave the dates empty to include everything.',
  firstDay: 'First day',
  lastDay: 'Last day',
  style: 'Written with',
  styles: { comma: 'Commas, 12.50', semicolon: 'Semicolons, 12,50' },
  sales: 'Download sales',
  receipts: 'Download receipts',
}

export const reportTexts = {
  table: { title: 'Table', of: (report: string) => ` of ${report.toLowerCase()}` },
  caption: (report: string, year: number) => `${report}, ${year}`,
  month: 'Month',
  pieces: 'Pieces',
  revenue: 'Revenue',
  plusShipping: '+ shipping',
  shipping: 'Shipping: ',
  plus: (shipping: string) => `+ ${shipping}`,
  discounts: 'Discounts',
  requests: 'Requests',
  sales: 'Sales',
  share: 'Share',
  total: 'Total',
  nothingSold: 'Nothing was sold.',
  byMonth: 'Revenue by month',
  shippingNote:
    'Revenue and shipping together are the sum of the invoices, once all receipts have one.',
  bestMonth: (month: string, revenue: string) => `The best month was ${month}: ${revenue}.`,
  discountsGiven: 'Discounts given',
  reduced: (pieces: number, discounts: string) =>
    `${pluralize(pieces, 'piece')} for less than the original price, ${discounts} altogether.`,
  fullPrice: 'Everything was sold at full price.',
  requestsSold: 'Requests that became sales',
  soldRequests: (sold: number, requests: number, share: string | null) =>
    `${formatCount(sold)} of ${pluralize(requests, 'request')} became sales: ${share}.`,
  noRequests: (year: number, since: string) => `There are no requests from ${year}. ${since}.`,
  becameSales: 'Became sales',
  since: (month: string | null) => (month ? `Recorded since ${month}` : 'Recorded from now on'),
  requestsNote: (since: string) =>
    `A request counts in the month in which it was made. ${since}; earlier requests are not included.`,
}

const mostRevenue = (name: string, revenue: string) => `${name} brought in the most: ${revenue}.`

export const rankingTexts = {
  category: {
    title: 'Revenue by category',
    head: 'Category',
    one: 'other category',
    many: 'other categories',
    best: mostRevenue,
  },
  item: {
    title: 'Revenue by item',
    head: 'Item',
    one: 'other item',
    many: 'other items',
    best: mostRevenue,
  },
  buyer: {
    title: 'Revenue by buyer',
    head: 'Buyer',
    one: 'other buyer',
    many: 'other buyers',
    best: (name: string, revenue: string) => `${name} spent the most: ${revenue}.`,
  },
}

export const othersText = (others: string, revenue: string) => `And ${others}: ${revenue}.`

export const drilldownTexts = {
  back: (year: number) => `Reports of ${year}`,
  title: (what: string | null, when: string) => `${what ?? 'Sales'} in ${when}`,
  sum: (sales: number, revenue: string) => `${pluralize(sales, 'piece')}, ${revenue}`,
  empty: 'No Sales Record',
  pages: 'Pages of the sales',
  newer: 'Newer',
  older: 'Older',
  originalPrice: 'Original price: ',
  soldFor: 'Sold for: ',
  cancellation: ' · Cancellation',
  conversation: (buyer: string) => `Conversation with ${buyer}`,
}
