/**
 * Lists every page and action that reads or writes a growing table, for the shop of growth-data.ts.
 */

export type Who = 'visitor' | 'customer' | 'owner'
/**
 * A visit requests a page, or submits `form`. `round` counts from 1. In paths and forms, {me}
 * stands for the customer's uid, {stamp} for the timestamp of the form, and {day} for tomorrow.
 */
export type Visit = {
  who: Who
  name: string
  path: string | ((round: number) => string)
  form?: (round: number) => Record<string, string>
  /** true if the response contains whole tables and may therefore take longer in a large shop */
  readsWholeTables?: true
}

const see = (who: Who, paths: Record<string, string>): Visit[] =>
  Object.entries(paths).map(([name, path]) => ({ who, name, path }))
const item = (round: number) => `i${10 + round}`

const looks: Visit[] = [
  ...see('visitor', {
    Home: '/',
    Gallery: '/gallery/',
    'Gallery, page 3': '/gallery/?page=3',
    'Gallery, the last page': '/gallery/?page=9999',
    'A category': '/gallery/c2',
    'A category, its last page': '/gallery/c2?page=9999',
    'Search, many found': '/gallery/?q=wall',
    'Search, one found': '/gallery/?q=owl',
    'Search, nothing found': '/gallery/?q=nowhere',
    'Gallery by price': '/gallery/?sort=price-up',
    'Gallery by name': '/gallery/?sort=name',
    'Gallery, on sale': '/gallery/?sale=on',
    'Gallery, available, one color': '/gallery/?color=k3&available=on',
    'Gallery, between two prices': '/gallery/?from=26&to=60',
    'Item page': '/item/i50',
    'Unknown item': '/item/nowhere',
    About: '/about/',
    Contact: '/contact/',
    Testimonials: '/testimonials/',
    'Testimony form': '/writetestimonials/t100',
    'Log in': '/login/',
    'Password reset': '/reset-password/',
    'Business card': '/contact/card.vcf',
    'Share image': '/share/shop.jpg',
  }),
  { who: 'visitor', name: 'Sitemap', path: '/sitemap.xml', readsWholeTables: true },
  ...see('customer', {
    Home: '/',
    Gallery: '/gallery/',
    Favorites: '/gallery/?favorites',
    'A category': '/gallery/c2',
    'Item page': '/item/i50',
    'Own conversation': '/?messages',
    'Earlier messages': '/messages/earlier/{me}?before=60',
    Account: '/account/',
    'Own orders': '/account/orders/',
    'Two-step login': '/account/second-factor/',
  }),
  ...see('owner', {
    Home: '/',
    Dashboard: '/manage/',
    'Home page': '/manage/home/',
    'About page': '/manage/about/',
    'Preview of Home': '/manage/home/preview',
    'Preview of About': '/manage/about/preview',
    Categories: '/manage/category/',
    Colors: '/manage/colors/',
    Items: '/manage/item/',
    'Items, one category open': '/manage/item/?open=1~c2',
    'Items, search': '/manage/item/?q=owl',
    'Item form': '/manage/item/i50',
    'Order of items': '/manage/arrange/',
    Conversations: '/manage/messages/',
    'Conversations, unread': '/manage/messages/?show=unread',
    'Conversations, requests': '/manage/messages/?show=requests',
    'Conversations, search, one found': '/manage/messages/?q=p57@mail.test',
    'Conversations, search, none found': '/manage/messages/?q=nowhere',
    'A conversation': '/manage/messages/u50',
    'Offer form': '/manage/offer/u50',
    'Pieces to make': '/manage/queue/',
    'A packing slip': '/manage/packing-slip/none',
    'Saved replies': '/manage/replies/',
    Sales: '/manage/sales/',
    'Add a sale': '/manage/sales/add/',
    'Market stall': '/manage/market/',
    'A receipt': '/manage/sales/?receipt=R20',
    'Printed documents as PDF': '/manage/print-documents.pdf?receipt=R20&paper=Invoice',
    Reports: '/manage/reports/',
    'Sales of the reports': '/manage/reports/sales/',
    'Sales of a category': '/manage/reports/sales/?category=c2',
    'Sales of a buyer': '/manage/reports/sales/?buyer=u50',
    Testimonials: '/manage/testimonials/',
    'Testimonials, the last page': '/manage/testimonials/?page=9999',
    Discounts: '/manage/discount/',
    'Discounts, search': '/manage/discount/?name=owl',
    Outbox: '/manage/mail/',
    'Audit log': '/manage/history/',
    'Audit log, testimonials': '/manage/history/?kind=testimonials',
    'Audit log, search': '/manage/history/?name=%2357.',
    Settings: '/manage/settings/',
    'Customer data': '/manage/customer-data/?email=p50@mail.test',
    'CSV import': '/manage/import-export/',
    'Import report': '/manage/firestore-import/',
    Status: '/manage/status/',
    Backups: '/manage/backups/',
  }),
  { who: 'owner', name: 'All sales as CSV', path: '/manage/sales.csv', readsWholeTables: true },
  {
    who: 'owner',
    name: 'All receipts as CSV',
    path: '/manage/receipts.csv',
    readsWholeTables: true,
  },
  { who: 'owner', name: 'All items as CSV', path: '/manage/items.csv', readsWholeTables: true },
]

/** Creates a visit that submits a form. `asked` returns the path and the form for a round. */
const act = (
  who: Who,
  name: string,
  asked: (round: number) => [path: string, form: Record<string, string>],
): Visit => ({
  who,
  name,
  path: (round) => asked(round)[0],
  form: (round) => asked(round)[1],
})
const message = (text: string) => ({ intent: 'send', message: text, messageId: '' })
const testimony = (round: number) => ({
  intent: 'write',
  email: `p${10 * round}@mail.test`,
  testimony: 'So soft',
})
const contact = (round: number) => ({
  stamp: '{stamp}',
  name: 'Dora',
  email: `dora${round}@mail.test`,
  phone: '0123456789',
  message: 'Curtains?',
  website: '',
})
const fields = (round: number) => ({
  name: `Sun wall ${round}`,
  categoryId: 'c2',
  price: '30',
  description: 'Of cotton',
  width: '',
  soleType: '',
  size: '',
  image: `q${10 + round}`,
})
const colorSale = (round: number) => ({
  intent: 'color-go',
  color: 'k3',
  type: 'percent',
  value: String(round),
})
const itemSale = (round: number) => ({
  intent: 'items-apply',
  type: 'percent',
  value: '5',
  item: item(round),
  confirm: 'Yes',
})
const offer = (round: number) => ({
  itemId: '',
  name: `Engraved tag ${round}`,
  price: '5',
  quantity: '1',
  color: '',
  notes: '',
  shipping: '',
  readyBy: '',
  validUntil: '{day}',
  message: '',
})
const addedSale = (round: number) => ({
  piece: `Basket ${round}`,
  price: '20',
  method: 'cash',
  day: '2026-03-04',
  buyerName: '',
})
const marketSale = (round: number) => ({
  id: `market${String(round).padStart(9, '0')}`,
  itemId: item(round),
  name: 'Moon',
  cents: '2000',
  method: 'card',
  age: '60000',
})
const papers = (round: number) => ({
  receipt: `R${30 + round}`,
  paper: 'Testimony Ticket',
  shipping: '',
  output: 'print',
})

const acts: Visit[] = [
  act('customer', 'Changes a favorite', (round) => [
    '/favourite',
    { itemId: item(round), wanted: round % 2 ? 'yes' : 'no' },
  ]),
  act('customer', 'Requests an item', (round) => [
    '/order-request',
    { itemId: item(round), message: `Could I have it? ${round}` },
  ]),
  act('customer', 'Writes a message', (round) => ['/messages', message(`Thank you ${round}`)]),
  act('customer', 'Reads her messages', (round) => [
    '/messages',
    { intent: 'read', seq: String(20 + round) },
  ]),
  act('customer', 'Changes her name', (round) => ['/account/name', { name: `Ann ${round}` }]),
  act('visitor', 'Sends the contact form', (round) => ['/contact/', contact(round)]),
  act('visitor', 'Writes a testimony', (round) => [
    `/writetestimonials/t${10 * round}`,
    testimony(round),
  ]),
  act('owner', 'Writes a message', (round) => [
    '/manage/messages/u100',
    message(`It is ready ${round}`),
  ]),
  act('owner', 'Reads a conversation', (round) => [
    `/manage/messages/u${10 * round}`,
    { intent: 'read', seq: '100' },
  ]),
  act('owner', 'Completes a sale', (round) => [
    '/manage/messages/{me}',
    { intent: 'complete', itemId: `i${round}`, price: '20' },
  ]),
  act('owner', 'Undoes a sale', (round) => [
    '/manage/sales/',
    { intent: 'undo-sale', saleId: `s${80 + round}`, confirm: 'Yes' },
  ]),
  act('owner', 'Removes an item from an order', (round) => [
    '/manage/messages/{me}',
    { intent: 'remove', itemId: `i${20 + round}`, confirm: 'Yes' },
  ]),
  act('owner', 'Closes an order', (round) => [
    `/manage/messages/u${10 * round}`,
    { intent: 'close', confirm: 'Yes' },
  ]),
  act('owner', 'Deletes a conversation', (round) => [
    `/manage/messages/u${51 + round}`,
    { intent: 'delete', confirm: 'Yes' },
  ]),
  act('owner', 'Sends an offer', (round) => ['/manage/offer/{me}', offer(round)]),
  act('owner', 'Reorders the pieces to make', () => [
    '/manage/queue/',
    { intent: 'order', order: 'no-piece-1' },
  ]),
  act('owner', 'Adds a saved reply', (round) => [
    '/manage/replies/',
    { intent: 'add', title: `Reply ${round}`, text: 'Hello' },
  ]),
  act('owner', 'Moves a category', (round) => [
    '/manage/category/',
    { intent: 'move', id: 'c5', by: round % 2 ? 'up' : 'down' },
  ]),
  act('owner', 'Marks a color', (round) => [
    '/manage/colors/',
    { intent: 'mark', id: 'k5', mark: 'isLowOnStock', ...(round % 2 && { on: 'on' }) },
  ]),
  act('owner', 'Puts a color on sale', (round) => ['/manage/discount/', colorSale(round)]),
  act('owner', 'Puts an item on sale', (round) => ['/manage/discount/', itemSale(round)]),
  act('owner', 'Moves an item', (round) => [
    '/manage/arrange/',
    { intent: 'move', id: item(round), to: '3', category: '' },
  ]),
  act('owner', 'Saves an item', (round) => [`/manage/item/${item(round)}`, fields(round)]),
  act('owner', 'Deletes an item', (round) => [
    `/manage/item/i${40 + round}`,
    { intent: 'delete', confirm: 'Yes' },
  ]),
  act('owner', 'Shows a testimony', (round) => [
    '/manage/testimonials/',
    { intent: round % 2 ? 'hide' : 'show', id: 't4' },
  ]),
  act('owner', 'Retries an email', (round) => [
    '/manage/mail/',
    { intent: 'try', id: `l${round}` },
  ]),
  act('owner', 'Adds a sale', (round) => ['/manage/sales/add', addedSale(round)]),
  act('owner', 'Sells at the market', (round) => ['/manage/market/sales', marketSale(round)]),
  act('owner', 'Undoes a market sale', (round) => [
    '/manage/market/',
    { intent: 'undo-sale', saleId: `s${86 + round}`, confirm: 'Yes' },
  ]),
  act('owner', 'Prints a receipt', (round) => ['/manage/sales/', papers(round)]),
]

export const visits: Visit[] = [...looks, ...acts]
