import { canonicalEmail, isEmailAddress } from '#lib/text/email-address.server.ts'
import { storableText } from '#lib/text/storable-text.ts'
import { OWNER_ID, isOwnerId } from '#services/owner-id.ts'
import {
  type Documents,
  type ReportIssue,
  isMap,
  listOf,
  reportValue,
  toText,
} from './documents.ts'

export type ImportedAccount = ReturnType<typeof toAccount>
type AccountContext = {
  ownerEmail: string
  exported: ImportedAccount[]
  uid: (uid: string) => string
  now: number
  report: ReportIssue
}

const MAX_ACCOUNT_NAME_LENGTH = 80
const SAME_EMAIL_NOTE =
  'the first account gets the favorites, purchases and testimonies; this user’s conversation belongs to no account, and stays when the account is deleted'

/** Accounts get no password. `sameAs` maps a uid to the account with the same email address. */
export function planAccounts(
  documents: Documents,
  { ownerEmail, exported, uid, now, report }: AccountContext,
) {
  const accounts = new Map<string, ImportedAccount>()
  const sameAs = new Map<string, string>()
  const byEmail = new Map([[ownerEmail, OWNER_ID]])
  for (const { where, account } of listPeople(documents, exported, now)) {
    const id = uid(account.id)
    if (isOwnerId(id) || accounts.has(id) || sameAs.has(id)) continue
    const note = (field: string, what: string, done: string) => report({ where, field, what, done })
    const email = canonicalEmail(account.email)
    const holder = byEmail.get(email)
    if (!isEmailAddress(email)) {
      note(
        'email',
        email === '' ? 'missing' : `${reportValue(email)} is not an email address`,
        'no account, because nobody could sign in to it',
      )
    } else if (holder !== undefined) {
      sameAs.set(id, holder)
      const whose = isOwnerId(holder)
        ? 'the owner’s own; is this her uid? then give it as --admin-id'
        : `that of ${reportValue(holder)} too`
      note('email', `${reportValue(email)} is ${whose}`, `no second account; ${SAME_EMAIL_NOTE}`)
    } else {
      if (account.name.length > MAX_ACCOUNT_NAME_LENGTH) {
        note('name', `longer than ${MAX_ACCOUNT_NAME_LENGTH} characters`, 'cut in the account')
      }
      byEmail.set(email, id)
      accounts.set(id, {
        ...account,
        id,
        name: account.name.slice(0, MAX_ACCOUNT_NAME_LENGTH).toWellFormed(),
        email,
      })
    }
  }
  return { accounts, sameAs }
}

function* listPeople(
  documents: Documents,
  exported: ImportedAccount[],
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
    if (buyerId && texts[1]) {
      yield { where: `sales/${id}/buyer`, account: toAccount(buyerId, texts, now) }
    }
  }
}

export const cleanText = (value: unknown) => storableText(toText(value ?? ''))

export function toAccount(
  id: string,
  [name = '', email = '', url = '']: string[],
  createdAt: number,
  emailVerified = false,
) {
  const image = url.length <= 500 && /^(https:\/\/|\/)/.test(url) ? url : null
  return { id, name, email, image, emailVerified, createdAt }
}

export type Candidate = ReturnType<typeof adminCandidates>[number]

export function adminCandidates(documents: Documents) {
  const messages = [...documents.orders].flatMap(([id, order]) =>
    listOf(order.messages).flatMap((message) => {
      const sender = isMap(message) ? message.sender : undefined
      const isName = typeof sender === 'string' && sender !== '' && !isOwnerId(sender)
      return isName && sender !== id ? [{ id, sender }] : []
    }),
  )
  return [...Map.groupBy(messages, ({ sender }) => sender)]
    .map(([uid, sent]) => ({
      uid,
      messages: sent.length,
      conversations: new Set(sent.map(({ id }) => id)).size,
    }))
    .toSorted(
      (left, right) => right.conversations - left.conversations || right.messages - left.messages,
    )
}
