package builtin

import "strings"

// guardForeign refuses a question with several words of another language: only English is read.
func (p *parser) guardForeign() {
	n, blocked := 0, p.form.blocked || len(p.form.ignored) > 0
	for _, w := range p.said() {
		if p.isName(w.at) {
			continue
		}
		if foreign(w.text) {
			n++
		}
	}
	if n > 1 || n == 1 && blocked {
		p.form.blocked = true
		p.form.reason = "I understand questions in English only."
	}
}

// foreign reports whether a word is a small word of German, French, Spanish or Italian that is not an
// English word.
func foreign(w string) bool {
	const words = " wie viele viel hoch war waren ist sind der das und oder nicht kein keine mit ohne für fur von vom zum zur bei nach aus " +
		"über uber im dem den ein eine einen welche welcher welches wurde wurden wird werden hat haben hatte gab gibt zeige zeig mir uns je " +
		"pro durchschnitt durchschnittlich durchschnittliche anteil summe anzahl umsatz letzten letzte letztes jahr monat monate quartal " +
		"combien quel quelle quels quelles est sont les des une avec sans pour dans par nombre moyenne ventes chiffre mois année annee année " +
		"dernier dernière " +
		"cuántos cuantos cuántas cuantas cuál cual cuáles es son los las del una con sin para por número promedio ventas mes año ano último " +
		"quanti quante quale quali sono gli della delle degli con senza numero media vendite mese anno "
	return strings.Contains(words, " "+w+" ")
}
