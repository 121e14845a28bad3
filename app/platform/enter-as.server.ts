/** The library's own session for somebody who has shown in another way who she is. It has no address: only the shop's code can ask for it. */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

export const enterAs = {
  id: 'enter-as',
  endpoints: {
    enterAs: createAuthEndpoint.serverOnly(
      { method: 'POST', requireHeaders: true, body: z.object({ userId: z.string() }) },
      async (context) => {
        const user = await context.context.internalAdapter.findUserById(context.body.userId)
        if (!user) throw new APIError('NOT_FOUND')
        const session = await context.context.internalAdapter.createSession(user.id)
        await setSessionCookie(context, { session, user })
        return context.json({ ok: true })
      },
    ),
  },
} satisfies BetterAuthPlugin
