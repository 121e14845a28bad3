/** Passwords that everybody knows, in the database of a public shop: the owner's from a trial at home, and those of the demo shop's customers (046). */
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import type { Auth } from '#app/platform/auth.server.ts'
import { knownOwnersPasswords } from '#app/platform/production.server.ts'
import type { Db } from '#db/schema.ts'
import { customers as demoCustomers } from '#demo/catalogue.ts'

export async function accountsOfEverybody(db: Db, auth: Auth): Promise<string[]> {
  const { internalAdapter, password } = await auth.$context
  const isOpenTo = async (userId: string, known: string[]) => {
    const account = (await internalAdapter.findAccounts(userId)).find(({ providerId }) => providerId === 'credential')
    const hash = account?.password
    if (!hash) return false
    for (const one of known) if (await password.verify({ hash, password: one }).catch(() => false)) return true
    return false
  }
  const lines: string[] = []
  if (await isOpenTo(ADMIN_ID, knownOwnersPasswords))
    lines.push('The owner has a password that everybody knows: npm run admin -- reset-password gives her another, or set OWNER_PASSWORD')
  const emails = demoCustomers.map(({ email }) => email)
  const customers = await db.selectFrom('user').select(['id', 'email']).where('email', 'in', emails).execute()
  for (const { id, email } of customers)
    if (
      await isOpenTo(
        id,
        demoCustomers.map((person) => person.password),
      )
    )
      lines.push(
        `${email} is a customer of the demo shop, whose password everybody knows: begin with a new DATA_DIR (or database) and DEMO=0`,
      )
  return lines
}
