/** Every page and act that reads or writes a table that grows, each as somebody would ask for it; the shop is that of grow.ts. */

export type Who = 'visitor' | 'customer' | 'owner'
/** `form` sends it; `round` begins at 1, so that each time something else is written. {me}: the customer's uid, {stamp}: of a form's time. */
export type Visit = {
  who: Who
  name: string
  path: string | ((round: number) => string)
  form?: (round: number) => Record<string, string>
  /** Grows by its nature: written out whole, as a stream. It is shown, and held to no ratio. */
  whole?: true
}

const see = (who: Who, paths: Record<string, string>): Visit[] => Object.entries(paths).map(([name, path]) => ({ who, name, path }))
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
    'Search, one found': '/gallery/?q=%2357.',
    'Search, nothing found': '/gallery/?q=nowhere',
    'Gallery by price': '/gallery/?sort=price-up',
    'Gallery by name': '/gallery/?sort=name',
    'Gallery, on sale': '/gallery/?sale=on',
    'Gallery, to be had, of a colour': '/gallery/?color=k3&available=on',
    'Gallery, between two prices': '/gallery/?from=26&to=27',
    'A piece': '/item/i50',
    'No such piece': '/item/nowhere',
    About: '/about/',
    Contact: '/contact/',
    Testimonials: '/testimonials/',
    'A ticket': '/writetestimonials/t100',
    'Log in': '/login/',
    'A new password': '/reset-password/',
    'Her card': '/contact/card.vcf',
    'A picture of a shared link': '/share/shop.jpg',
  }),
  { who: 'visitor', name: 'Site map', path: '/sitemap.xml', whole: true },
  ...see('customer', {
    Home: '/',
    Gallery: '/gallery/',
    Favourites: '/gallery/?favorites',
    'A category': '/gallery/c2',
    'A piece': '/item/i50',
    'Her conversation': '/?messages',
    'Her earlier messages': '/messages/earlier/{me}?before=60',
    'Her account': '/account/',
    'Two-step login': '/account/second-factor/',
  }),
  ...see('owner', {
    Home: '/',
    Workshop: '/manage/',
    Categories: '/manage/category/',
    Colors: '/manage/colors/',
    Merchandise: '/manage/item/',
    'Merchandise, a category open': '/manage/item/?open=1~c2',
    'Merchandise, looked for': '/manage/item/?q=%2357.',
    'A piece in its form': '/manage/item/i50',
    Conversations: '/manage/messages/',
    'Conversations, unread': '/manage/messages/?show=unread',
    'Conversations, requests': '/manage/messages/?show=requests',
    'Conversations, one person': '/manage/messages/?q=p57@mail.test',
    'Conversations, nobody found': '/manage/messages/?q=nowhere',
    'A conversation': '/manage/messages/u50',
    Replies: '/manage/replies/',
    Sales: '/manage/sales/',
    'A receipt': '/manage/sales/?receipt=R20',
    'Papers as PDF': '/manage/papers.pdf?receipt=R20&paper=Invoice',
    Reports: '/manage/reports/',
    'Sales behind the reports': '/manage/reports/sales/',
    'Sales of a category': '/manage/reports/sales/?category=c2',
    'Sales of a buyer': '/manage/reports/sales/?buyer=u50',
    Testimonials: '/manage/testimonials/',
    'Testimonials, the last page': '/manage/testimonials/?page=9999',
    Discounts: '/manage/discount/',
    'Discounts, looked for': '/manage/discount/?name=%2357.',
    Outbox: '/manage/mail/',
    History: '/manage/history/',
    'History of testimonials': '/manage/history/?kind=testimonials',
    'History, a name': '/manage/history/?name=%2357.',
    Settings: '/manage/settings/',
    'A customer’s data': '/manage/customer-data/?email=p50@mail.test',
    Tables: '/manage/tables/',
    'Moved here': '/manage/moved/',
    Status: '/manage/status/',
    Backups: '/manage/backups/',
  }),
  { who: 'owner', name: 'All sales as CSV', path: '/manage/sales.csv', whole: true },
  { who: 'owner', name: 'All receipts as CSV', path: '/manage/receipts.csv', whole: true },
  { who: 'owner', name: 'All pieces as CSV', path: '/manage/items.csv', whole: true },
]

const act = (who: Who, name: string, path: Visit['path'], form: NonNullable<Visit['form']>): Visit => ({ who, name, path, form })
const piece = { price: '30', description: 'Of cotton', width: '', soleType: '', size: '' }

const acts: Visit[] = [
  act('customer', 'Gives a heart', '/favourite', (round) => ({ itemId: item(round), wanted: round % 2 ? 'yes' : 'no' })),
  act('customer', 'Asks for a piece', '/order-request', (round) => ({ itemId: item(round), message: `Could I have it? ${round}` })),
  act('customer', 'Writes a message', '/messages', (round) => ({ intent: 'send', message: `Thank you ${round}`, messageId: '' })),
  act('customer', 'Reads her messages', '/messages', (round) => ({ intent: 'read', seq: String(20 + round) })),
  act('customer', 'Changes her name', '/account/name', (round) => ({ name: `Ann ${round}` })),
  act('visitor', 'Writes to the shop', '/contact/', (round) => ({
    ...{ stamp: '{stamp}', name: 'Dora', email: `dora${round}@mail.test`, phone: '0123456789', message: 'Curtains?', website: '' },
  })),
  act(
    'visitor',
    'Writes a testimony',
    (round) => `/writetestimonials/t${10 * round}`,
    (round) => ({
      ...{ intent: 'write', email: `p${10 * round}@mail.test`, testimony: 'So soft' },
    }),
  ),
  act('owner', 'Writes a message', '/manage/messages/u100', (round) => ({
    intent: 'send',
    message: `It is ready ${round}`,
    messageId: '',
  })),
  act(
    'owner',
    'Reads a conversation',
    (round) => `/manage/messages/u${10 * round}`,
    () => ({ intent: 'read', seq: '100' }),
  ),
  act('owner', 'Completes a sale', '/manage/messages/{me}', (round) => ({ intent: 'complete', itemId: `i${round}`, price: '20' })),
  act('owner', 'Takes a piece out of an order', '/manage/messages/{me}', (round) => ({
    intent: 'remove',
    itemId: `i${20 + round}`,
    confirm: 'Yes',
  })),
  act(
    'owner',
    'Closes an order',
    (round) => `/manage/messages/u${10 * round}`,
    () => ({ intent: 'close', confirm: 'Yes' }),
  ),
  act(
    'owner',
    'Deletes a conversation',
    (round) => `/manage/messages/u${51 + round}`,
    () => ({ intent: 'delete', confirm: 'Yes' }),
  ),
  act('owner', 'Adds a reply', '/manage/replies/', (round) => ({ intent: 'add', title: `Reply ${round}`, text: 'Hello' })),
  act('owner', 'Moves a category', '/manage/category/', (round) => ({ intent: 'move', id: 'c5', by: round % 2 ? 'up' : 'down' })),
  act('owner', 'Marks a colour', '/manage/colors/', (round) => ({
    intent: 'mark',
    id: 'k5',
    mark: 'isLowOnStock',
    ...(round % 2 ? { on: 'on' } : {}),
  })),
  act('owner', 'Puts a colour on sale', '/manage/discount/', (round) => ({
    intent: 'color-go',
    color: 'k3',
    type: 'percent',
    value: String(round),
  })),
  act('owner', 'Puts a piece on sale', '/manage/discount/', (round) => ({
    ...{ intent: 'items-apply', type: 'percent', value: '5', item: item(round), confirm: 'Yes' },
  })),
  act(
    'owner',
    'Saves a piece',
    (round) => `/manage/item/${item(round)}`,
    (round) => ({
      ...{ ...piece, name: `Sun wall ${round}`, categoryId: 'c2', picture: `q${10 + round}` },
    }),
  ),
  act(
    'owner',
    'Deletes a piece',
    (round) => `/manage/item/i${40 + round}`,
    () => ({ intent: 'delete', confirm: 'Yes' }),
  ),
  act('owner', 'Shows a testimony', '/manage/testimonials/', (round) => ({ intent: round % 2 ? 'hide' : 'show', id: 't4' })),
  act('owner', 'Tries a letter again', '/manage/mail/', (round) => ({ intent: 'try', id: `l${round}` })),
  act('owner', 'Prints a receipt’s papers', '/manage/sales/', (round) => ({
    receipt: `R${30 + round}`,
    paper: 'Testimony Ticket',
    shipping: '',
    output: 'print',
  })),
]

export const visits: Visit[] = [...looks, ...acts]
