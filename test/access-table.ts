/** Who gets what from which address: one line for each route of app/routes.ts. A route without a line fails the access matrix. */
import type { Outcome } from './access-outcome.ts'
import type { Role } from './role-shop.ts'

/** Of all five, or of visitor, guest, Ann, Bea, owner. */
export type Cell = Outcome | [visitor: Outcome, guest: Outcome, ann: Outcome, bea: Outcome, owner: Outcome]
/** `at`: the address where the route has parameters, {ann} and {picture} stand for hers. `form`: what a page of the shop would send there. */
export type Line = { at?: string; look: Cell; send: Cell; form?: Record<string, string> }

export const outcomeFor = (cell: Cell, role: Role): Outcome =>
  typeof cell === 'string' ? cell : cell[{ visitor: 0, guest: 1, ann: 2, bea: 3, owner: 4 }[role]]!

/** ROLES-08, ROLES-10, ROLES-15: everybody else is led home. */
const owners = (outcome: Outcome): Cell => ['home', 'home', 'home', 'home', outcome]
/** S-012: guests and visitors are led to the login. */
const lasting = (outcome: Outcome): Cell => ['login', 'login', outcome, outcome, outcome]
/** An address that only takes forms leads whoever looks at it home. */
const formsOnly: { look: Cell } = { look: 'home' }

const page: Line = { look: 'page', send: 'no' }
const file: Line = { look: 'file', send: 'no' }
const managed: Line = { look: owners('page'), send: owners('taken') }
const managedToRead: Line = { look: owners('page'), send: owners('no') }
const managedFile: Line = { look: owners('file'), send: owners('no') }

export const accessTable: Record<string, Line> = {
  // ROLES-01 to ROLES-06: everybody looks around.
  'routes/store/home': page,
  'routes/store/gallery': { ...page, at: '/gallery/walls' },
  'routes/store/item': { ...page, at: '/item/moon' },
  'routes/store/about': page,
  'routes/store/contact': { look: 'page', send: 'taken' },
  'routes/store/testimonials': page,
  'routes/store/write-testimony': { look: 'page', send: 'taken', at: '/writetestimonials/ticket' },
  'routes/store/elsewhere': { look: 'home', send: 'home', at: '/nowhere/at/all' },
  'routes/machine/business-card': file,
  'routes/machine/picture': { ...file, at: '/pictures/items/moon.webp' },
  'routes/machine/share-picture': { ...file, at: '/share/shop.jpg' },
  'routes/machine/site-map': file,
  'routes/machine/robots': file,
  'routes/machine/manifest': file,

  // Who is signed in has nothing to do there (NAV-03, S-005); the owner lands among her sections.
  'routes/account/login': {
    look: ['page', 'home', 'home', 'home', 'home'],
    send: ['refused', 'home', 'home', 'home', 'home'],
    form: { intent: 'login', email: 'nobody@mail.test', password: 'a-wrong-password' },
  },
  // No provider is set up here, so there are no such addresses (032).
  'routes/account/provider': { at: '/login/google', look: 'home', send: 'home' },
  'routes/account/provider-back': { at: '/login/google/back', look: 'home', send: 'no' },
  'routes/account/logout': { ...formsOnly, send: 'taken', form: { from: '/about/' } },
  'routes/account/theme': { ...formsOnly, send: 'taken', form: { theme: 'light' } },
  // Only a guest has something to link (S-002).
  'routes/account/link-guest': {
    look: ['login', 'page', 'home', 'home', 'home'],
    send: ['login', 'taken', 'home', 'home', 'home'],
    form: { email: 'x', password: 'y', userId: '{ann}' },
  },
  // ROLES-07, ROLES-12 to ROLES-14: signed in, guests among them (S-006).
  'routes/account/favourite': {
    ...formsOnly,
    send: ['refused', 'taken', 'taken', 'taken', 'taken'],
    form: { itemId: 'moon', wanted: 'yes', userId: '{ann}', uid: '{ann}' },
  },
  'routes/account/messages': {
    ...formsOnly,
    send: ['refused', 'taken', 'taken', 'taken', 'taken'],
    form: { intent: 'send', message: 'From {ann}', orderId: '{ann}', sender: '{ann}', userId: '{ann}' },
  },
  'routes/account/order-request': {
    ...formsOnly,
    send: ['refused', 'taken', 'taken', 'taken', 'refused'],
    form: { itemId: 'moon', message: 'Please', orderId: '{ann}', userId: '{ann}', price: '0' },
  },
  // Another one's conversation and pictures are not there (S-001).
  'routes/account/earlier-messages': {
    at: '/messages/earlier/{ann}?before=9999',
    look: ['missing', 'missing', 'file', 'missing', 'file'],
    send: 'no',
  },
  'routes/machine/chat-picture': {
    at: '/messages/pictures/{picture}',
    look: ['missing', 'missing', 'file', 'missing', 'file'],
    send: ['refused', 'taken', 'taken', 'taken', 'taken'],
    form: { intent: 'delete', id: '{picture}' },
  },
  'routes/account/gate': { at: '/account/', look: lasting('page'), send: lasting('no') },
  'routes/account/account': { look: lasting('page'), send: lasting('no') },
  // Only after the password, and only the owner has one (037).
  'routes/account/login-code': { look: ['login', 'home', 'home', 'home', 'home'], send: ['login', 'home', 'home', 'home', 'home'] },
  'routes/account/second-factor': {
    look: ['login', 'login', 'away', 'away', 'page'],
    send: ['login', 'login', 'away', 'away', 'taken'],
  },
  'routes/account/form-name': { look: lasting('away'), send: lasting('taken'), form: { name: 'Somebody', id: '{ann}' } },
  'routes/account/form-photo': { look: lasting('away'), send: lasting('taken'), form: { intent: 'remove', id: '{ann}' } },
  // S-224, LOGIN-24: one's own alone, whoever is named; the way out asks for the password.
  'routes/account/form-data': { look: lasting('away'), send: lasting('taken'), form: { id: '{ann}' } },
  'routes/account/form-delete': { look: lasting('away'), send: lasting('refused'), form: { id: '{ann}' } },
  'routes/account/form-password': { look: lasting('away'), send: lasting('taken'), form: { newPassword: 'x', id: '{ann}' } },
  'routes/account/form-devices': { look: lasting('away'), send: lasting('taken'), form: { intent: 'one', id: '{ann}' } },
  'routes/account/form-email': { look: lasting('away'), send: lasting('taken'), form: { email: 'no address', id: '{ann}' } },
  'routes/account/form-verification': { look: lasting('away'), send: lasting('taken'), form: { id: '{ann}' } },
  // Whoever has a letter's code, signed in or not (036).
  'routes/account/reset-password': { look: 'page', send: 'taken', form: { intent: 'ask', email: 'nobody@mail.test' } },
  'routes/account/confirm-email': { look: 'page', send: 'taken', form: { code: 'no-such-code' } },

  // ROLES-16 to ROLES-24: the owner's alone.
  'routes/manage/gate': { ...managedToRead, at: '/manage/' },
  'routes/manage/welcome': managedToRead,
  'routes/manage/category': managed,
  'routes/manage/colors': managed,
  'routes/manage/item': { ...managed, at: '/manage/item/moon' },
  'routes/manage/item-picture': { look: owners('no'), send: owners('taken') },
  'routes/manage/messages': { ...managed, at: '/manage/messages/{ann}' },
  'routes/manage/replies': managed,
  'routes/manage/sales': managed,
  'routes/manage/papers-pdf': { look: owners('away'), send: owners('no') },
  'routes/manage/sales-csv': managedFile,
  'routes/manage/receipts-csv': managedFile,
  'routes/manage/reports': managedToRead,
  'routes/manage/sales-behind': managedToRead,
  'routes/manage/testimonials': managed,
  'routes/manage/discount': managed,
  'routes/manage/mail': managed,
  'routes/manage/history': managedToRead,
  'routes/manage/settings': managed,
  // There is no such check.
  'routes/manage/tables': { look: owners('page'), send: owners('missing') },
  'routes/manage/customer-data': { look: owners('page'), send: owners('refused'), form: { intent: 'delete', id: '{ann}' } },
  'routes/manage/customer-file': { look: owners('away'), send: owners('refused'), form: { id: '{ann}' } },
  'routes/manage/status': managedToRead,
  // There is no such backup.
  'routes/manage/backups': { look: owners('page'), send: owners('missing') },
  'routes/manage/backup-file': { look: owners('away'), send: owners('missing') },
  'routes/manage/items-csv': managedFile,
  'routes/manage/check-csv': { look: owners('away'), send: owners('no') },
  'routes/manage/moved': managedToRead,
  'routes/manage/documents': { look: owners('away'), send: owners('refused') },
}
