/** Who of an export gets an account here, so that favourites and conversations keep their owner; nobody gets a password (022). */
import { ADMIN_ID, isAdminId } from '#app/features/accounts/admin.ts'
import { clean, openFields } from './fields.ts'
import { shown, wordOf, type Collection, type Fields, type FoundDocument, type Finding } from './moving.ts'

export type Account = {
  id: string
  name: string
  email: string
  image: string | null
  isAnonymous: boolean
  emailVerified: boolean
  createdAt: number
}
export type Plan = {
  accounts: Map<string, Account>
  /** two uids with one e-mail: the second one's favourites go to the first */
  sameAs: Map<string, string>
  /** what our own export knows of the owner */
  owner: { name: string; image: string | null } | null
}
type Source = { read: (collection: Collection) => Iterable<FoundDocument> }
type Setting = {
  /** e-mail (in small letters) and uid of everybody the shop knows already */
  known: Map<string, string>
  uid: (uid: string) => string
  isOwnExport: boolean
  now: number
  find: (finding: Finding) => void
}

const LONGEST_NAME = 80
/** Enough to send a letter to; whether somebody reads it shows when a password is asked for. */
const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254
const fitImage = (url: string) => (url.length <= 500 && /^(https:\/\/|\/)/.test(url) ? url : null)

export function planAccounts(source: Source, { known, uid, isOwnExport, now, find }: Setting): Plan {
  const plan: Plan = { accounts: new Map(), sameAs: new Map(), owner: null }
  const byEmail = new Map(known)
  const knownIds = new Set(known.values())

  function add(account: Account, where: string) {
    if (knownIds.has(account.id)) return
    const note = (field: string, what: string, done: string) => find({ where, field, what, done })
    const email = account.email.trim().toLowerCase()
    if (!isEmail(email))
      return note('email', email === '' ? 'missing' : `${shown(email)} is no e-mail address`, 'no account: nobody can sign in as them')
    const holder = byEmail.get(email)
    if (holder !== undefined && holder !== account.id) {
      plan.sameAs.set(account.id, holder)
      const whose = isAdminId(holder) ? 'the owner’s own; is this her uid? then give it as --admin-id' : `that of ${shown(holder)} too`
      return note('email', `${shown(email)} is ${whose}`, 'no second account; favourites go to the first')
    }
    if (account.name.length > LONGEST_NAME) note('name', `longer than ${LONGEST_NAME} characters`, 'cut in the account')
    const name = account.name.slice(0, LONGEST_NAME).toWellFormed()
    byEmail.set(email, account.id)
    plan.accounts.set(account.id, { ...account, name, email })
  }

  for (const document of source.read('accounts')) {
    const where = `accounts/${document.id}`
    const fields = openFields(document.fields, (field, what, done) => find({ where, field, what, done }))
    for (const name of ['id', 'uid']) fields.raw(name)
    const account: Account = {
      id: uid(document.id),
      name: fields.text('displayName'),
      email: fields.text('email'),
      image: fitImage(fields.text('photoURL')),
      isAnonymous: fields.flag('isAnonymous', false, true),
      emailVerified: fields.flag('emailVerified', false, true),
      createdAt: fields.time('createdAt', now),
    }
    fields.end()
    if (account.id === ADMIN_ID) plan.owner = { name: account.name, image: account.image }
    else add(account, where)
  }
  if (isOwnExport) return plan

  const seen = (id: string) => plan.accounts.has(id) || plan.sameAs.has(id) || isAdminId(id)
  for (const { id, fields } of source.read('orders')) {
    if (fields.fromContactPage === true || seen(uid(id))) continue
    const user = mapOf(fields.user)
    const text = (name: string) => wordOf(user[name] ?? fields[name] ?? '')
    add(fromTexts(uid(id), text('name'), text('email'), text('photoURL'), now), `orders/${id}/user`)
  }
  for (const { id, fields } of source.read('sales')) {
    const buyer = typeof fields.buyerid === 'string' ? uid(clean(fields.buyerid)) : ''
    const text = (name: string) => wordOf(fields[name] ?? '')
    if (buyer === '' || seen(buyer) || text('buyerEmail') === '') continue
    add(fromTexts(buyer, text('buyerName'), text('buyerEmail'), text('buyerPhotoURL'), now), `sales/${id}/buyer`)
  }
  return plan
}

const mapOf = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const fromTexts = (id: string, name: string, email: string, photo: string, createdAt: number): Account => {
  return { id, name: clean(name), email: clean(email), image: fitImage(clean(photo)), isAnonymous: false, emailVerified: false, createdAt }
}

export type Candidate = { uid: string; messages: number; conversations: number }

/** Who writes in conversations of others: the hosted shop's owner, most likely; the most talkative first. */
export function adminCandidates(source: Source, uid: (uid: string) => string): Candidate[] {
  const found = new Map<string, Candidate>()
  for (const { id, fields } of source.read('orders')) {
    const senders = (Array.isArray(fields.messages) ? fields.messages : []).map((message) => mapOf(message).sender)
    const others = senders.filter(
      (sender): sender is string => typeof sender === 'string' && sender !== id && sender !== '' && !isAdminId(uid(sender)),
    )
    for (const sender of new Set(others)) {
      const one = found.get(sender) ?? { uid: sender, messages: 0, conversations: 0 }
      found.set(sender, {
        ...one,
        messages: one.messages + others.filter((other) => other === sender).length,
        conversations: one.conversations + 1,
      })
    }
  }
  return [...found.values()].toSorted((a, b) => b.conversations - a.conversations || b.messages - a.messages)
}

/** `firebase auth:export accounts.json`: the documents which our own export calls accounts. Null: it is no such file. */
export function readAuthExport(json: string): FoundDocument[] | null {
  const users = mapOf(parsed(json)).users
  if (!Array.isArray(users)) return null
  return users.map(mapOf).flatMap((user) =>
    typeof user.localId === 'string' && user.email
      ? [
          {
            id: user.localId,
            fields: {
              displayName: user.displayName,
              photoURL: user.photoUrl,
              email: user.email,
              emailVerified: user.emailVerified,
              createdAt: user.createdAt === undefined ? undefined : Number(wordOf(user.createdAt)),
            },
          },
        ]
      : [],
  )
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
