import { Footer } from '#app/features/settings/footer.tsx'
import { Hero } from '#app/features/showcase/hero.tsx'
import { HomeColors } from '#app/features/showcase/home-colors.tsx'
import { NewPieces } from '#app/features/showcase/new-pieces.tsx'
import { PromoBanner, PromoSections } from '#app/features/showcase/promo.tsx'
import { readHome } from '#app/features/showcase/home.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/home'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const isAll = searchParams.get('colors') === 'all'
  return { ...(await readHome(context.get(shopContext), isAll)), isAll, category: searchParams.get('category') }
}

export default function Home({ loaderData, matches }: Route.ComponentProps) {
  const { showcase, colors, isAll, newPieces, promoPictures, wallpapers, category } = loaderData
  const { theme, settings } = matches[0].loaderData
  return (
    <>
      <main id="main">
        <Hero wallpaper={wallpapers[theme]} records={showcase} category={category} />
        <div className="page">
          {settings.isPromoShown && <PromoBanner />}
          <NewPieces pieces={newPieces} />
          <PromoSections pictures={promoPictures} />
          <HomeColors colors={colors} isAll={isAll} />
        </div>
      </main>
      <Footer settings={settings} />
    </>
  )
}
