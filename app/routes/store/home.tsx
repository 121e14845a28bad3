import { Hero, HomeColors, NewPieces, PromoBanner, PromoSections } from '#app/features/home/home-page.tsx'
import { readHome } from '#app/features/home/showcase.server.ts'
import { appContext } from '#app/services/context.ts'
import { useShownTheme } from '#app/ui/layout/theme-toggle.tsx'
import type { Route } from './+types/home'

export const handle = { hasFooter: true }

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const isAll = searchParams.get('colors') === 'all'
  return { ...(await readHome(context.get(appContext), isAll)), isAll, category: searchParams.get('category') }
}

export default function Home({ loaderData, matches }: Route.ComponentProps) {
  const { showcase, colors, isAll, newPieces, promoPictures, wallpapers, category } = loaderData
  const { theme: stored, settings } = matches[0].loaderData
  const theme = useShownTheme(stored)
  return (
    <main id="main">
      <Hero wallpaper={wallpapers[theme]} records={showcase} category={category} />
      <div className="page">
        {settings.isPromoShown && <PromoBanner />}
        <NewPieces pieces={newPieces} />
        <PromoSections pictures={promoPictures} />
        <HomeColors colors={colors} isAll={isAll} />
      </div>
    </main>
  )
}
