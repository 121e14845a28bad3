/** Finds accounts of a public shop that have a well-known password: the owner's password from a trial, or a password of the demo customers. */
import { ADMIN_ID } from '#app/services/admin-id.ts'
import type { Auth } from '#app/services/auth.server.ts'
import { knownAdminPasswords } from '#app/lib/config/production-checks.server.ts'
import type { Db } from '#db/schema.ts'
import { customers as demoCustomers } from '#demo/catalog.ts'

export async function findAccountsWithDefaultPasswords(db: Db, auth: Auth): Promise<string[]> {
  const { internalAdapter, password } = await auth.$context
  const isOpenTo = async (userId: string, known: string[]) => {
    const account = (await internalAdapter.findAccounts(userId)).find(
      ({ providerId }) => providerId === 'credential',
    )
    const hash = account?.password
    if (!hash) return false
    for (const one of known)
      if (await password.verify({ hash, password: one }).catch(() => false)) return true
    return false
  }
  const lines: string[] = []
  if (await isOpenTo(ADMIN_ID, knownAdminPasswords))
    lines.push(
      'The owner has a password that everyone knows: set a new one with npm run admin -- reset-password, or with OWNER_PASSWORD',
    )
  const emails = demoCustomers.map(({ email }) => email)
  const customers = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where('email', 'in', emails)
    .execute()
  for (const { id, email } of customers)
    if (
      await isOpenTo(
        id,
        demoCustomers.map((person) => person.password),
      )
    )
      lines.push(
        `${email} is a customer of the demo shop, whose password everyone knows: start with a new DATA_DIR (or database) and DEMO=0`,
      )
  return lines
}
