/** Makes loaders and actions that fail because of an outage respond with 503 and a text about the outage. */
import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type ServerBuild,
} from 'react-router'
import { appContext } from '#app/services/context.ts'
import { sawOutage, recordOutage, outageTexts } from '#app/lib/telemetry/outages.server.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** Wraps a loader or action. During an outage, the error page shows `text`, and the cause is only logged. [S-262] */
function withOutageResponse<Each extends Args, Result>(text: string, work: (args: Each) => Result) {
  return async (args: Each): Promise<Awaited<Result>> => {
    try {
      return await work(args)
    } catch (error) {
      recordOutage(error)
      if (!(error instanceof Error) || !sawOutage()) throw error
      args.context.get(appContext).log.error('a request failed because of an outage', error)
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
