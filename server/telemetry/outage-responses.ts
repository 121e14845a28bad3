/** A loader or action that fails since the machine cannot do it for a while says so, with 503 and words of its own, wherever the failure comes from. */
import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type ServerBuild } from 'react-router'
import { shopContext } from '#app/platform/context.ts'
import { isOutageMet, noteOutage, outageTexts } from '#app/platform/outage.server.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** S-262: the text stands on the page that tells of errors; the cause is only logged. */
function withOutageResponse<Each extends Args, Result>(text: string, work: (args: Each) => Result) {
  return async (args: Each): Promise<Awaited<Result>> => {
    try {
      return await work(args)
    } catch (error) {
      noteOutage(error)
      if (!(error instanceof Error) || !isOutageMet()) throw error
      args.context.get(shopContext).log.error('a request met an outage', error)
      throw data(text, { status: 503 })
    }
  }
}

export function wrapRoutesWithOutageHandling(build: ServerBuild): ServerBuild {
  const routes: ServerBuild['routes'] = {}
  for (const [id, route] of Object.entries(build.routes)) {
    if (!route) continue
    const { loader, action } = route.module
    const module = {
      ...route.module,
      ...(loader && { loader: withOutageResponse(outageTexts.read, loader) }),
      ...(action && { action: withOutageResponse(outageTexts.write, action) }),
    }
    routes[id] = { ...route, module }
  }
  return { ...build, routes }
}
