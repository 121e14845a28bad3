/** Who of an export gets an account here, so that favorites and conversations keep their owner; nobody gets a password (053). */
import { isAdminId } from '#app/platform/admin-id.ts'
import { isMap, shown, wordOf, type Documents, type Fields, type ReportIssue } from './documents.ts'
import { clean, parseTime } from './field-reader.ts'

export type Account = { id: string; name: string; email: string; image: string | null; emailVerified: boolean; createdAt: number }
export type AccountPlan = {
  accounts: Map<string, Account>
  /** of two uids with one e-mail: the second one's favorites go to the first */
  sameAs: Map<string, string>
}
type Context = {
  /** e-mail (in small letters) and uid of everybody the shop knows already */
  known: Map<string, string>
  /** of a file of `firebase auth:export` */
  exported: readonly Account[]
  uid: (uid: string) => string
  now: number
  report: ReportIssue
}

const MAX_NAME_LENGTH = 80
/** Enough to send an email to; whether somebody reads it shows when a password is asked for. */
const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254

export function planAccounts(documents: Documents, { known, exported, uid, now, report }: Context): AccountPlan {
  const plan: AccountPlan = { accounts: new Map(), sameAs: new Map() }
  const byEmail = new Map(known)
  const knownIds = new Set(known.values())

  function add(account: Account, where: string) {
    if (knownIds.has(account.id)) return
    const note = (field: string, what: string, done: string) => report({ where, field, what, done })
    const email = account.email.trim().toLowerCase()
    if (!isEmail(email))
      return note('email', email === '' ? 'missing' : `${shown(email)} is no e-mail address`, 'no account: nobody can sign in as them')
    const holder = byEmail.get(email)
    if (holder !== undefined && holder !== account.id) {
      plan.sameAs.set(account.id, holder)
      const whose = isAdminId(holder) ? 'the owner’s own; is this her uid? then give it as --admin-id' : `that of ${shown(holder)} too`
      return note('email', `${shown(email)} is ${whose}`, 'no second account; favourites go to the first')
    }
    if (account.name.length > MAX_NAME_LENGTH) note('name', `longer than ${MAX_NAME_LENGTH} characters`, 'cut in the account')
    byEmail.set(email, account.id)
    plan.accounts.set(account.id, { ...account, name: account.name.slice(0, MAX_NAME_LENGTH).toWellFormed(), email })
  }

  const isSeen = (id: string) => plan.accounts.has(id) || plan.sameAs.has(id) || isAdminId(id)
  for (const account of exported) if (!isSeen(uid(account.id))) add({ ...account, id: uid(account.id) }, `accounts/${account.id}`)
  for (const [hostedId, fields] of documents.orders) {
    const id = uid(hostedId)
    if (fields.fromContactPage === true || isSeen(id)) continue
    const user = isMap(fields.user) ? fields.user : {}
    const text = (name: string) => textOf(user[name] ?? fields[name])
    add(accountOf(id, [text('name'), text('email'), text('photoURL')], now), `orders/${hostedId}/user`)
  }
  for (const [saleId, fields] of documents.sales) {
    const id = typeof fields.buyerid === 'string' ? uid(clean(fields.buyerid)) : ''
    if (id === '' || isSeen(id) || textOf(fields.buyerEmail) === '') continue
    add(accountOf(id, [textOf(fields.buyerName), textOf(fields.buyerEmail), textOf(fields.buyerPhotoURL)], now), `sales/${saleId}/buyer`)
  }
  return plan
}

const textOf = (value: unknown): string => clean(wordOf(value ?? ''))

const accountOf = (id: string, [name, email, url]: [string, string, string], createdAt: number, emailVerified = false): Account => {
  const image = url.length <= 500 && /^(https:\/\/|\/)/.test(url) ? url : null
  return { id, name, email, image, emailVerified, createdAt }
}

export type Candidate = { uid: string; messages: number; conversations: number }

/** Who writes in conversations of others: most likely the hosted shop's owner; the most active first. */
export function adminCandidates(documents: Documents): Candidate[] {
  const found = new Map<string, Candidate>()
  for (const [id, fields] of documents.orders) {
    const senders = (Array.isArray(fields.messages) ? fields.messages : []).map((message) => (isMap(message) ? message.sender : undefined))
    const others = senders
      .filter((sender) => typeof sender === 'string')
      .filter((sender) => ![id, ''].includes(sender) && !isAdminId(sender))
    for (const [uid, messages] of Map.groupBy(others, (sender) => sender)) {
      const one = found.get(uid) ?? { uid, messages: 0, conversations: 0 }
      found.set(uid, { uid, messages: one.messages + messages.length, conversations: one.conversations + 1 })
    }
  }
  return [...found.values()].toSorted((a, b) => b.conversations - a.conversations || b.messages - a.messages)
}

/** Reads what `firebase auth:export accounts.json` wrote; null: it is no such file. */
export function readAuthExport(json: string, now: number): Account[] | null {
  let file: unknown
  try {
    file = JSON.parse(json)
  } catch {
    return null
  }
  if (!isMap(file) || !Array.isArray(file.users)) return null
  return file.users.filter(isMap).flatMap((user: Fields) => {
    if (typeof user.localId !== 'string' || !user.email) return []
    const createdAt = parseTime(Number(wordOf(user.createdAt)))?.ms ?? now
    const texts: [string, string, string] = [textOf(user.displayName), textOf(user.email), textOf(user.photoUrl)]
    return [accountOf(clean(user.localId), texts, createdAt, user.emailVerified === true)]
  })
}
