-- Requests with a JSON body; prints as report.lua does.
dofile('report.lua')
wrk.method = 'POST'
wrk.body = '{"numbers":[1,2,3,4,5,6,7,8,9,10],"name":"a name","nested":{"a":true,"b":null}}'
wrk.headers['Content-Type'] = 'application/json'
