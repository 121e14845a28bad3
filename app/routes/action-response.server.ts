import { type ActionFunctionArgs, data, redirect } from 'react-router'
import { privateCookie, readCookie } from '#lib/http/cookies.server.ts'
import { type ActionTable, handleForm } from '#lib/http/form-actions.server.ts'
import { parseForm } from '#lib/http/form-data.server.ts'
import {
  appContext,
  type AppServices,
  type RequestInfo,
  requestInfoContext,
  userContext,
} from '#services/context.ts'
import { isOwnPath } from '#lib/http/own-path.ts'
import type { ActionOutcome, ActionResult } from '#ui/action-result.ts'

const FLASH = 'flash'

type ActionArgs = Pick<ActionFunctionArgs, 'request' | 'context'>

export async function readForm({ request, context }: ActionArgs, parse = parseForm) {
  const app = context.get(appContext)
  const info = context.get(requestInfoContext)
  const form = await parse(request)
  return {
    app,
    info,
    user: context.get(userContext),
    auth: { app, info, request },
    form,
    /** Without JavaScript, redirects to the path in the field `back`; that page shows the texts. */
    reply<Result extends ActionResult>({ answer, status }: ActionOutcome<Result>) {
      const back = form.get('back')
      if (typeof back !== 'string' || !isOwnPath(back)) return respond({ answer, status })
      const texts = [...(answer.toasts ?? []), answer.error ?? '', answer.help ?? '']
      setFlash(info, [...new Set(texts.filter((text) => text !== ''))])
      throw redirect(back, 303)
    },
  }
}

export const respond = <Answer>({ answer, status }: { answer: Answer; status: number }) =>
  data(answer, { status })

type OwnerContext = { app: AppServices; actor: string }

export const ownerAction = (table: ActionTable<OwnerContext>) => async (args: ActionArgs) => {
  const { app, user, form, reply } = await readForm(args)
  return reply(await handleForm(table, { app, actor: user!.id }, form))
}

export function setFlash(info: RequestInfo, texts: readonly string[]) {
  if (texts.length > 0) {
    const value = encodeURIComponent(JSON.stringify(texts))
    info.responseCookies.push(privateCookie(FLASH, value, 60))
  }
}

export function takeFlash(request: Request, info: RequestInfo) {
  const cookie = readCookie(request, info, FLASH)
  if (!cookie) return []
  info.responseCookies.push(privateCookie(FLASH, '', 0))
  try {
    const texts: unknown = JSON.parse(decodeURIComponent(cookie))
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string').slice(0, 4) : []
  } catch {
    return []
  }
}
