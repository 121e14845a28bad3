import { listHomeColors } from '#app/features/catalog/colors.server.ts'
import { Footer } from '#app/features/settings/footer.tsx'
import { Hero } from '#app/features/showcase/hero.tsx'
import { HomeColors } from '#app/features/showcase/home-colors.tsx'
import { NewPieces } from '#app/features/showcase/new-pieces.tsx'
import { PromoBanner, PromoSections } from '#app/features/showcase/promo.tsx'
import { findWallpapers, listNewPieces, listPromoPictures, listShowcase } from '#app/features/showcase/showcase.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/home'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(shopContext)
  const { searchParams } = new URL(request.url)
  const isAll = searchParams.get('colors') === 'all'
  const [showcase, colors, newPieces, promoPictures, wallpapers] = await Promise.all([
    listShowcase(db),
    listHomeColors(db, { isAll }),
    listNewPieces(db),
    listPromoPictures(db),
    findWallpapers(db),
  ])
  return { showcase, colors, isAll, newPieces, promoPictures, wallpapers, category: searchParams.get('category') }
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
