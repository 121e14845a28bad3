export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Testimonials</h1>
    </main>
  )
}
