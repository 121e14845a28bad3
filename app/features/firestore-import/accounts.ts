/** Decides which people in an export get an account (without a password), so that favorites and conversations still belong to the same person. */
import { ADMIN_ID, isAdminId } from '#app/services/admin-id.ts'
import {
  cleanUnicode,
  isMap,
  reportValue,
  toText,
  type Documents,
  type ReportIssue,
} from './documents.ts'

export type ImportedAccount = {
  id: string
  name: string
  email: string
  image: string | null
  emailVerified: boolean
  createdAt: number
}
type AccountPlan = {
  accounts: Map<string, ImportedAccount>
  /** Maps a uid to another uid with the same email address. The uid that occurs first gets the favorites, sales and testimonies of all these uids. */
  sameAs: Map<string, string>
}
type Context = {
  ownerEmail: string
  /** The accounts in the file of `firebase auth:export`. */
  exported: readonly ImportedAccount[]
  uid: (uid: string) => string
  now: number
  report: ReportIssue
}

const MAX_ACCOUNT_NAME_LENGTH = 80
const SAME_EMAIL_NOTE =
  'the first account gets the favorites, purchases and testimonies; this user’s conversation belongs to no account, and stays when the account is deleted'
const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254

export function planAccounts(
  documents: Documents,
  { ownerEmail, exported, uid, now, report }: Context,
): AccountPlan {
  const plan: AccountPlan = { accounts: new Map(), sameAs: new Map() }
  const byEmail = new Map([[ownerEmail, ADMIN_ID]])
  for (const { where, account } of listPeople(documents, exported, now)) {
    const id = uid(account.id)
    if (isAdminId(id) || plan.accounts.has(id) || plan.sameAs.has(id)) continue
    const note = (field: string, what: string, done: string) => report({ where, field, what, done })
    const email = account.email.trim().toLowerCase()
    const holder = byEmail.get(email)
    if (!isEmail(email)) {
      note(
        'email',
        email === '' ? 'missing' : `${reportValue(email)} is not an email address`,
        'no account, because nobody could sign in to it',
      )
    } else if (holder !== undefined) {
      plan.sameAs.set(id, holder)
      const whose = isAdminId(holder)
        ? 'the owner’s own; is this her uid? then give it as --admin-id'
        : `that of ${reportValue(holder)} too`
      note('email', `${reportValue(email)} is ${whose}`, `no second account; ${SAME_EMAIL_NOTE}`)
    } else {
      if (account.name.length > MAX_ACCOUNT_NAME_LENGTH)
        note('name', `longer than ${MAX_ACCOUNT_NAME_LENGTH} characters`, 'cut in the account')
      byEmail.set(email, id)
      plan.accounts.set(id, {
        ...account,
        id,
        name: account.name.slice(0, MAX_ACCOUNT_NAME_LENGTH).toWellFormed(),
        email,
      })
    }
  }
  return plan
}

/** Lists the people of the export. The most reliable source comes first: first the file of accounts, then conversations, then sales. */
function* listPeople(
  documents: Documents,
  exported: readonly ImportedAccount[],
  now: number,
): Generator<{ where: string; account: ImportedAccount }> {
  for (const account of exported) yield { where: `accounts/${account.id}`, account }
  for (const [id, fields] of documents.orders) {
    if (fields.fromContactPage === true) continue
    const user = isMap(fields.user) ? fields.user : {}
    const texts = ['name', 'email', 'photoURL'].map((name) => cleanText(user[name] ?? fields[name]))
    yield { where: `orders/${id}/user`, account: toAccount(id, texts, now) }
  }
  for (const [id, fields] of documents.sales) {
    const [buyerId, ...texts] = ['buyerid', 'buyerName', 'buyerEmail', 'buyerPhotoURL'].map(
      (name) => cleanText(fields[name]),
    )
    if (buyerId && texts[1])
      yield { where: `sales/${id}/buyer`, account: toAccount(buyerId, texts, now) }
  }
}

export const cleanText = (value: unknown): string => cleanUnicode(toText(value ?? ''))

export function toAccount(
  id: string,
  [name = '', email = '', url = '']: string[],
  createdAt: number,
  emailVerified = false,
): ImportedAccount {
  const image = url.length <= 500 && /^(https:\/\/|\/)/.test(url) ? url : null
  return { id, name, email, image, emailVerified, createdAt }
}

export type Candidate = { uid: string; messages: number; conversations: number }

/** Lists people who write in other people's conversations, and sorts them by their number of messages. One of these people is probably the owner. */
export function adminCandidates(documents: Documents): Candidate[] {
  const found = new Map<string, { messages: number; conversations: Set<string> }>()
  for (const [id, { messages }] of documents.orders)
    for (const message of Array.isArray(messages) ? messages : []) {
      const sender = isMap(message) ? message.sender : undefined
      if (typeof sender !== 'string' || sender === '' || sender === id || isAdminId(sender))
        continue
      const one = found.get(sender) ?? { messages: 0, conversations: new Set() }
      found.set(sender, { messages: one.messages + 1, conversations: one.conversations.add(id) })
    }
  return [...found]
    .map(([uid, { messages, conversations }]) => ({
      uid,
      messages,
      conversations: conversations.size,
    }))
    .toSorted((a, b) => b.conversations - a.conversations || b.messages - a.messages)
}
