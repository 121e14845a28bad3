export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Merchandise</h1>
    </main>
  )
}
