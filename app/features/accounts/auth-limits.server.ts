/** Limits of what goes through the door to the authentication library (038); its own limiter is off. */
import type { Limited, Who } from '#app/platform/rate-limits.server.ts'
import type { Asker } from './ask-auth.server.ts'
import { knownDevice } from './known-devices.server.ts'

/** `onlyFailures`: a try that went well is given back. */
type Count = { what: Limited; who: Who; onlyFailures?: true }

async function countsOf(asker: Asker, path: string, body: object): Promise<Count[]> {
  const address = asker.page.clientAddress
  if (path === '/sign-up/email') return [{ what: 'registration', who: { address } }]
  if (path === '/sign-in/anonymous') return [{ what: 'guest', who: { address } }]
  if (path === '/sign-in/social') return [{ what: 'provider', who: { address } }]
  if (path === '/sign-in/email') return signInCounts(asker, 'email' in body ? String(body.email) : '')
  return []
}

/**
 * Failures count for the account from this address first: whoever guesses one password is stopped there and takes nothing from anybody
 * else. Only then for all accounts from this address (many passwords of a stolen list), and for this account from everywhere (many
 * addresses). A device that somebody has signed in with before has tries of its own, whatever others do.
 */
async function signInCounts(asker: Asker, email: string): Promise<Count[]> {
  const address = asker.page.clientAddress
  const device = await knownDevice(asker, email)
  const counts: Count[] = device
    ? [{ what: 'known-device', who: { account: device } }]
    : [
        { what: 'sign-in-here', who: { account: `${address} ${email}` } },
        { what: 'sign-in', who: { address } },
        { what: 'sign-in-anywhere', who: { account: email } },
      ]
  return counts.map((count) => ({ ...count, onlyFailures: true }))
}

/** `seconds` to wait, 0: go ahead, and say how it went. Counted before the try, so that many at once are not one. */
export async function countTry(asker: Asker, path: string, body: object) {
  const { limits } = asker.shop
  const counts = await countsOf(asker, path, body)
  for (const { what, who } of counts) {
    const seconds = await limits.secondsToWait(what, who)
    if (seconds > 0) return { seconds, succeeded: async () => {} }
  }
  return {
    seconds: 0,
    async succeeded() {
      for (const { what, who, onlyFailures } of counts) if (onlyFailures) await limits.giveBack(what, who)
    },
  }
}
